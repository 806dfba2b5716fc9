"""How the checks of OdooRPC connect and what they print: a JSON line a check, with its result or its error."""

import json
import sys
import urllib.request

import odoorpc

given = json.loads(sys.argv[1])
HOST, PORT, DB = '127.0.0.1', given['port'], 'main'


def check(function):
    """Runs it at once: the checks build on one another, in the order of the file."""
    line = {'name': function.__name__.replace('_', ' ')}
    try:
        line['result'] = function()
    except odoorpc.error.RPCError as error:
        line['error'] = 'RPCError %s: %s' % ((error.info or {}).get('data', {}).get('name'), error)
    except Exception as error:
        line['error'] = '%s: %s' % (type(error).__name__, error)
    print(json.dumps(line, default=str), flush=True)


class At(urllib.request.BaseHandler):
    """Asks the server under another name, as a client on a workspace's own address does."""

    handler_order = 100

    def __init__(self, name):
        self.name = name

    def http_request(self, request):
        request.add_unredirected_header('Host', self.name)
        return request


def connect(login=given['login'], secret=given['key'], **options):
    client = odoorpc.ODOO(HOST, port=PORT, protocol='jsonrpc', **options)
    client.login(DB, login, secret)
    return client
