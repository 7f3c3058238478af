# SPDX-License-Identifier: GPL-2.0-only
# A manual page (roff) of a document of docs/formats. usage:
# awk -v name=stream -v version=V -f md-man.awk DOCUMENT

function plain(s,    out)
{
	gsub(/\\\|/, "|", s)
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	# [text](link), `code`, **strong**
	while (match(s, /\[[^]]*\]\([^)]*\)/)) {
		out = substr(s, RSTART + 1, RLENGTH - 2)
		sub(/\]\(.*/, "", out)
		s = substr(s, 1, RSTART - 1) out substr(s, RSTART + RLENGTH)
	}
	while (match(s, /`[^`]*`/))
		s = substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART + 1, RLENGTH - 2) "\\fR" \
			substr(s, RSTART + RLENGTH)
	while (match(s, /\*\*[^*]*\*\*/))
		s = substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART + 2, RLENGTH - 4) "\\fR" \
			substr(s, RSTART + RLENGTH)
	if (s ~ /^[.']/)
		s = "\\&" s
	return s
}

# "| a | b | c |": a with what the others say below it.
function put_row(s,    n, i, cells, shown)
{
	gsub(/\\\|/, "\001", s)
	sub(/^\| */, "", s)
	sub(/ *\| *$/, "", s)
	n = split(s, cells, / *\| */)
	for (i = 1; i <= n; i++)
		gsub("\001", "|", cells[i])
	printf ".TP\n%s\n", plain(cells[1] == "" ? "-" : cells[1])
	for (i = 2; i <= n; i++)
		if (cells[i] != "")
			print (shown++ ? "\\(em " : "") plain(cells[i])
	if (!shown)
		print "\\&"
}

function set_mode(to)
{
	if (mode == to)
		return
	if (mode == "code")
		print ".fi\n.RE"
	if (to == "code")
		print ".PP\n.RS\n.nf"
	if (mode != "" && to == "text")
		print ".PP"
	mode = to
}

/^```/ { set_mode(mode == "code" ? "text" : "code"); next }
mode == "code" { gsub(/\\/, "\\e"); gsub(/-/, "\\-"); print (/^[.']/ ? "\\&" : "") $0; next }
/^# / {
	sub(/^# */, "")
	printf ".TH \"KFT\\-%s\" 5 \"\" \"kft %s\" \"Formats of kft\"\n", toupper(name), version
	printf ".SH NAME\nkft\\-%s \\- %s\n.SH DESCRIPTION\n", name, plain(tolower(substr($0, 1, 1)) substr($0, 2))
	next
}
/^##+ / {
	set_mode("text")
	kind = /^## / ? ".SH" : ".SS"
	sub(/^##+ */, "")
	print kind "\n" plain($0)
	next
}
/^\|[-| :]*\|$/ { next }
/^\|/ { set_mode("table"); put_row($0); next }
/^ *- / { set_mode("list"); sub(/^ *- */, ""); printf ".IP \\(bu 2\n%s\n", plain($0); next }
/^$/ { if (mode == "list" || mode == "table") set_mode("text"); else print ".PP"; next }
mode == "table" { set_mode("text") }
{ sub(/^ +/, ""); print plain($0) }
END { print ".SH SEE ALSO\n.BR kft (1)" }
