"""A browser of a person who logs in: opens an address, answers the form there, and follows the redirect to the end.

usage: browse.py ADDRESS [yes|no] [print]    (print: says where the end would be, and doesn't go there)
"""
import sys, urllib.error, urllib.parse, urllib.request


class Ending(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments): return None


address, answer = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "yes"
browser = urllib.request.build_opener(Ending)
browser.open(address, timeout=10).read()
form = urllib.parse.urlencode({"user": "ada", "answer": answer}).encode()
try:
    browser.open(address, form, timeout=10)
    sys.exit("the form led nowhere")
except urllib.error.HTTPError as redirect:
    end = redirect.headers["Location"]
if "print" in sys.argv: print(end)
else: urllib.request.urlopen(end, timeout=10).read()
