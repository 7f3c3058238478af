# SPDX-License-Identifier: GPL-2.0-only
# fish completion for kft(1): the program itself knows what it takes.

function __kft_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program $before[1]
    set -e before[1]
    for candidate in (command $program __complete $before "$current" 2>/dev/null)
        switch $candidate
            case :files
                # Behind "--output=" names of files begin.
                set -l lead (string match -r -- '^--[^=]*=' $current)
                for file in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $current))
                    echo "$lead$file"
                end
            case :commands
                __fish_complete_command
            case '*'
                echo $candidate
        end
    end
end

complete -c kft -f -a '(__kft_complete)'
