extension ProgramSpec {
    static let fishScript = #"""
        # fish completion for %program%; load it with: %program% completions fish | source

        function __%identifier%_complete
            set -l words (commandline -opc)
            set -e words[1]
            # The word up to the cursor, without its quotes.
            set -l typed (commandline -ct | string replace -ra '[\'"\\\\]' '')
            test -n "$typed"; or set typed ''

            set -l lines (command %program% __complete fish (count $words) $words $typed 2>/dev/null)
            set -l header (string split \t -- $lines[1])
            set -e lines[1]
            set -l rest (string sub -s (math (string length -- "$header[2]") + 1) -- $typed)
            switch "$header[1]"
                case files
                    set -a lines (__fish_complete_path $rest)
                case directories
                    set -a lines (__fish_complete_directories $rest)
            end
            for line in $lines
                echo -- $header[2]$line
            end
        end

        complete -c %program% -f -a '(__%identifier%_complete)'

        """#
}
