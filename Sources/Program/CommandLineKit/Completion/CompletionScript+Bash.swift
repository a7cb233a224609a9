extension ProgramSpec {
    /// The script for bash. It needs only bash 4.4, and not the package `bash-completion`.
    static let bashScript = #"""
        # bash completion for %program%; load it with: source <(%program% completions bash)

        _%identifier%() {
            COMPREPLY=()
            # A redirection takes a file.
            case ${COMP_WORDS[COMP_CWORD - 1]} in
                *'<' | *'>') compopt -o default; return ;;
            esac

            # readline splits words at "=", ":" and "@" too: put them together again, as far as the cursor.
            local -a words=()
            local word i position=0 current=-1
            for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
                word=${COMP_WORDS[i]}
                local start=$position
                if [[ -z $word ]]; then
                    # Only the word at the cursor can be empty.
                    start=$COMP_POINT
                    [[ ${COMP_LINE:start - 1:1} == [[:space:]] ]] && words+=("")
                else
                    while [[ ${COMP_LINE:start:1} == [[:space:]] ]]; do ((start++)); done
                    local length=${#word}
                    ((i == COMP_CWORD && start + length > COMP_POINT)) && length=$((COMP_POINT - start))
                    ((length < 0)) && length=0
                    if ((i == 0 || start > position)); then
                        words+=("${word:0:length}")
                    elif ((current < 0)); then
                        words[${#words[@]} - 1]+=${word:0:length}
                    fi
                    position=$((start + ${#word}))
                fi
                ((i == COMP_CWORD)) && current=$((${#words[@]} - 1))
            done
            local typed=${words[current]}
            # The program gets its words without their quotes.
            local -a plain=("${words[@]//[\"\'\\]/}")

            local header kind prefix summary
            local -a candidates=() summaries=()
            {
                IFS= read -r header
                while IFS=$'\t' read -r word summary; do candidates+=("$word"); summaries+=("$summary"); done
            } < <(command %program% __complete bash "$((current - 1))" "${plain[@]:1}" 2>/dev/null)
            kind=${header%%$'\t'*}
            prefix=${header#*$'\t'}

            # readline replaces only what follows the quote, else what follows the last break ("@" excepted, which
            # it replaces too); what precedes that must not be offered again.
            local settled='' breaks=${COMP_WORDBREAKS//[^=:]/} after quote='' char quoted
            if [[ $typed == *[\"\']* ]]; then
                # The quote that is open at the cursor, if any.
                for ((i = 0; i < ${#typed}; i++)); do
                    char=${typed:i:1}
                    if [[ -z $quote && $char == [\"\'] ]]; then
                        quote=$char
                    elif [[ $char == "$quote" ]]; then
                        quote=''
                    elif [[ $char == \\ && $quote != \' ]]; then
                        ((i++))
                    fi
                done
                settled=${typed%%[\"\']*}
            else
                [[ -n $breaks ]] && settled=${typed%"${typed##*["$breaks"]}"}
                after=${typed#"$settled"}
                [[ $COMP_WORDBREAKS == *@* && $after == *@* ]] && settled+=${after%@*}
            fi

            case $kind in
                files | directories)
                    # What is a path and nothing else is best left to readline.
                    if [[ $settled == "$prefix" && ${#candidates[@]} == 0 ]]; then
                        [[ $kind == files ]] && compopt -o default || compopt -o dirnames
                        return
                    fi
                    local action=-f path
                    [[ $kind == directories ]] && action=-d
                    while IFS= read -r path; do
                        [[ -d $path ]] && path+=/ && compopt -o nospace
                        candidates+=("$path")
                    done < <(compgen "$action" -- "${plain[current]:${#prefix}}")
                    ;;
            esac

            for word in "${candidates[@]}"; do
                word=$prefix$word
                word=${word#"$settled"}
                if [[ -z $quote ]]; then
                    printf -v quoted %q "$word"
                else
                    # Inside quotes what the shell would still obey there is escaped, "!" by leaving them.
                    quoted=''
                    for ((i = 0; i < ${#word}; i++)); do
                        char=${word:i:1}
                        case $quote$char in
                            \'\') quoted+="'\\''" ;;
                            \"[\"\\\$\`]) quoted+=\\$char ;;
                            \"!) quoted+="\"'!'\"" ;;
                            *) quoted+=$char ;;
                        esac
                    done
                    # readline leaves a word open that seems to end with its quote.
                    [[ $quoted == *"$quote" ]] && quoted+=$quote
                fi
                COMPREPLY+=("$quoted")
            done
            # In a list, each candidate is on a separate line with its explanation.
            if ((COMP_TYPE == 63 && ${#COMPREPLY[@]} > 1)) && [[ -n ${summaries[*]} ]]; then
                local width=0 room=${COLUMNS:-80}
                for word in "${COMPREPLY[@]}"; do ((${#word} > width)) && width=${#word}; done
                for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do
                    printf -v word '%-*s  %s' "$width" "${COMPREPLY[i]}" "${summaries[i]:-}"
                    # Filled up to the width, so that readline makes one column.
                    printf -v COMPREPLY[i] '%-*s' $((room - 2)) "${word:0:room - 2}"
                done
                compopt -o nosort 2>/dev/null
            fi
            # An "=" wants its value next, not a space.
            if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
        }

        complete -F _%identifier% %program%

        """#
}
