extension ProgramSpec {
    /// The script for zsh. It works from a folder in `fpath`, or with `source` after `compinit`.
    static let zshScript = #"""
        #compdef %program%
        # zsh completion for %program%; load it with: source <(%program% completions zsh)

        _%identifier%() {
            local -a typed lines closed open
            local line word summary kind prefix found=1
            # The words without their quotes, the current one up to the cursor.
            typed=("${(@Q)words[2,-1]}")
            typed[CURRENT-1]=${(Q)PREFIX}

            lines=("${(@f)$(command %program% __complete zsh $((CURRENT - 2)) "${typed[@]}" 2>/dev/null)}")
            kind=${lines[1]%%$'\t'*}
            prefix=${lines[1]#*$'\t'}
            [[ -n $prefix ]] && compset -P "${(b)prefix}"

            case $kind in
                files) _files && found=0 ;;
                directories) _files -/ && found=0 ;;
            esac

            for line in "${(@)lines[2,-1]}"; do
                [[ -n $line ]] || continue
                word=${line%%$'\t'*}
                summary=${line#$word}
                word=${${word//\\/\\\\}//:/\\:}
                # An "=" wants its value next, not a space.
                if [[ $word == *= ]]; then
                    open+=("$word:${summary#$'\t'}")
                else
                    closed+=("$word:${summary#$'\t'}")
                fi
            done
            (( ${#closed} )) && _describe -t values %program% closed && found=0
            (( ${#open} )) && _describe -t names %program% open -S '' && found=0
            return found
        }

        if [[ ${funcstack[1]} == _%identifier% ]]; then
            _%identifier% "$@"
        else
            compdef _%identifier% %program%
        fi

        """#
}
