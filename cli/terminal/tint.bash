# Completion of tint for bash. Nothing that was typed is evaluated: the words go to tint as they are.
declare -F __tint_complete > /dev/null && return 0

__tint_complete() {
    local cur words cword out value
    if declare -F _get_comp_words_by_ref > /dev/null; then
        _get_comp_words_by_ref -n "=:" cur words cword
    else
        # Without the package bash-completion.
        words=("${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=${COMP_WORDS[COMP_CWORD]}
    fi
    # Without the quotes around a word, which tint would take for a part of it.
    local typed=("${words[@]:1:cword}")
    typed=("${typed[@]//[\"\'\\]/}")
    out=$(tint completion complete -- "${typed[@]}" 2> /dev/null)
    COMPREPLY=()
    while IFS=$'\t' read -r value _; do
        # The last line, like :4, is about the words above it.
        [[ $value == :* || -z $value || $value != "$cur"* ]] && continue
        printf -v value %q "$value"
        COMPREPLY+=("$value")
    done <<< "$out"
}

complete -F __tint_complete tint
