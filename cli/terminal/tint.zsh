#compdef tint
# Completion of tint for zsh. Nothing that was typed is evaluated: the words go to tint as they are.

_tint() {
    local line flag
    local -a typed found
    # Without the quotes around a word, which tint would take for a part of it.
    typed=("${(@Q)words[2,CURRENT]}")
    [[ $typed[-1] == -*=* ]] && flag=${typed[-1]%%=*}= && compset -P '*='
    while IFS= read -r line; do
        # The last line, like :4, is about the words above it.
        [[ -z $line || $line == :* ]] && continue
        line=${line#$flag}
        line=${line//:/\\:}
        found+=("${line/$'\t'/:}")
    done < <(tint completion complete -- "${typed[@]}" 2> /dev/null)
    _describe 'words' found
}

compdef _tint tint
# Loaded by its name, the file is the function.
[[ ${funcstack[1]} == _tint ]] && _tint
return 0
