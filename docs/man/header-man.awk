# SPDX-License-Identifier: GPL-2.0-only
# A manual page (roff) of a header of include/kft: its comments are the text, what they stand
# above are the declarations. usage: awk -v name=session -v version=V -f header-man.awk HEADER

function plain(s)
{
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	if (s ~ /^[.']/)
		s = "\\&" s
	return s
}

# The lines of a comment: paragraphs, and what is indented by a tab as it is.
function put_comment(    i, verbatim)
{
	verbatim = 0
	for (i = 1; i <= n_comment; i++) {
		if ((comment[i] ~ /^\t/) != verbatim) {
			print verbatim ? ".fi\n.RE" : ".PP\n.RS\n.nf"
			verbatim = !verbatim
		}
		if (comment[i] == "")
			print verbatim ? "" : ".PP"
		else if (comment[i] ~ /^- /)
			printf ".IP \\(bu 2\n%s\n", plain(substr(comment[i], 3))
		else
			print plain(verbatim ? substr(comment[i], 2) : comment[i])
	}
	if (verbatim)
		print ".fi\n.RE"
	n_comment = 0
}

function put_block(    i)
{
	if (n_code && code[n_code] ~ /^struct [a-z_]+;$/) {
		# What the header is about, and the names of what it hides.
		put_comment()
		print ".PP\n.nf"
		for (i = 1; i <= n_code; i++)
			print plain(code[i])
		print ".fi"
	} else if (n_code) {
		print ".SS"
		print plain(title())
		print ".nf"
		for (i = 1; i <= n_code; i++)
			print plain(code[i])
		print ".fi\n.PP"
	}
	put_comment()
	n_code = 0
}

# What a block of declarations is called: its first name of kft's.
function title(    i)
{
	for (i = 1; i <= n_code; i++)
		if (match(code[i], /(kft|KFT)_[A-Za-z0-9_]+/))
			return substr(code[i], RSTART, RLENGTH)
	return "Declarations"
}

function add_comment(s)
{
	if (!sub(/^\/\* ?/, "", s))
		sub(/^ \* ?/, "", s)
	sub(/ ?\*\/$/, "", s)
	comment[++n_comment] = s
	if (!any_code)
		about = about s "\n"
}

BEGIN {
	n_comment = n_code = 0
	printf ".TH \"KFT_%s\" 3 \"\" \"kft %s\" \"libkft\"\n", toupper(name), version
	printf ".SH NAME\n%skft_%s \\- <kft/%s.h> of libkft\n", names, name, name
	print ".SH SYNOPSIS\n.nf"
	printf "#include <kft/%s.h>\n", name
	print "cc \\&... $(pkg\\-config \\-\\-cflags \\-\\-libs kft)\n.fi\n.SH DESCRIPTION"
}
NR == 1 { next }
/^#(if|ifdef|ifndef|endif|include|undef|else)/ || /^extern "C"/ { next }
/^#define KFT_[A-Z]+_H$/ { next }
skipping { if (/^}/) skipping = 0; next }
in_comment || (/^\/\*/ && !n_code) {
	if (!in_comment && n_comment)
		put_block()
	in_comment = !/\*\//
	if ($0 != "/*" && $0 != " */")
		add_comment($0)
	next
}
/^$/ { put_block(); next }
/^}$/ && !n_code { next }
/^(__attribute__.* )?static inline/ { is_inline = 1 }
/^{$/ && is_inline {
	# A function that is all in the header: how it works is nobody's business, nor are those
	# that the others call, which the text does not name.
	skipping = 1
	is_inline = 0
	if (!index(about, title() "("))
		n_code = n_comment = 0
	put_block()
	next
}
{ code[++n_code] = $0; any_code = 1 }
END {
	put_block()
	print ".SH SEE ALSO\n.BR kft (1)"
}
