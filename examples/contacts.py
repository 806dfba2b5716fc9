"""Lists all companies page by page, then creates one, using only Python's standard library.

    ATRIUM_URL=... USER_KEY=uk_... python3 examples/contacts.py "Name of a new company"
"""

import json
import os
import sys
import urllib.error
import urllib.request
import uuid

URL = os.environ.get('ATRIUM_URL', 'http://127.0.0.1:3000')
USER_KEY = os.environ['USER_KEY']
PAGE = 20


def call(model, method, idempotency_key=None, **arguments):
    """Calls a method of a model through the JSON API and returns its value."""
    headers = {'Authorization': 'Bearer ' + USER_KEY, 'Content-Type': 'application/json'}
    if idempotency_key:
        headers['Idempotency-Key'] = idempotency_key
    request = urllib.request.Request(
        '%s/json/2/%s/%s' % (URL, model, method), json.dumps(arguments).encode(), headers
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        # Errors are JSON too. `message` is meant for people.
        raise SystemExit('%s: %s' % (error.code, json.load(error)['message']))


def companies():
    """Yields every company. `after` continues behind the last row, so every page has the same cost."""
    page = {'domain': [['is_company', '=', True]], 'fields': ['name', 'city'], 'limit': PAGE}
    while True:
        rows = call('res.partner', 'search_read', **page)
        yield from rows
        if len(rows) < PAGE:
            return
        page['after'] = rows[-1]['id']


for company in companies():
    print(company['id'], company['name'], company['city'] or '-')

if len(sys.argv) > 1:
    # The second request has the same idempotency key: it returns the first response and creates nothing.
    key = str(uuid.uuid4())
    values = [{'name': sys.argv[1], 'is_company': True}]
    first, again = [call('res.partner', 'create', key, vals_list=values) for _ in range(2)]
    print('created', first[0], 'once' if first == again else 'twice')
