"""The requests of useSend's Python SDK, as it makes them with `requests`: the same methods, paths, headers and bodies, dates
without an offset among them. Prints a JSON line a call: its status and the JSON it answered."""

import json
import sys
from datetime import datetime, timedelta

import requests

url, key, wrong = sys.argv[1:]
session = requests.Session()


def call(name, method, path, body=None, key=key, headers=None):
    line = {'name': name}
    try:
        answer = session.request(
            method,
            url + '/api/v1' + path,
            headers={'Authorization': 'Bearer ' + key, 'Content-Type': 'application/json', **(headers or {})},
            json=body,
        )
        line['result'] = {'status': answer.status_code, 'body': answer.json()}
    except Exception as error:
        line['error'] = '%s: %s' % (type(error).__name__, error)
    print(json.dumps(line), flush=True)
    return line.get('result', {}).get('body')


mail = {'to': 'ann@example.net', 'from': 'hello@main.test', 'subject': 'Hello', 'html': '<p>Hi</p>'}
later = datetime(2099, 1, 1, 10, 0, 0, 123456)

sent = call('emails.send', 'POST', '/emails', mail)
call('emails.get', 'GET', '/emails/' + sent['emailId'])
once = {'Idempotency-Key': 'python-1'}
call('emails.send, once', 'POST', '/emails', mail, headers=once)
call('emails.send, again', 'POST', '/emails', mail, headers=once)
planned = call('emails.send, planned', 'POST', '/emails', dict(mail, scheduledAt=later.isoformat()))
path = '/emails/' + planned['emailId']
call('emails.update', 'PATCH', path, {'scheduledAt': (later + timedelta(days=1)).isoformat()})
call('emails.get, planned', 'GET', path)
call('emails.cancel', 'POST', path + '/cancel', {})
call('emails.batch', 'POST', '/emails/batch', [mail, dict(mail, subject='two', to=['b@example.net', 'c@example.net'])])

call('domains.list', 'GET', '/domains')
domain = call('domains.create', 'POST', '/domains', {'name': 'python.example', 'region': 'eu-west-1'})
call('domains.get', 'GET', '/domains/%d' % domain['id'])
call('domains.verify', 'PUT', '/domains/%d/verify' % domain['id'], {})
call('domains.delete', 'DELETE', '/domains/%d' % domain['id'])

book = call('contact_books.create', 'POST', '/contactBooks', {'name': 'Python', 'variables': ['plan']})
path = '/contactBooks/' + book['id']
call('contact_books.list', 'GET', '/contactBooks')
call('contact_books.get', 'GET', path)
call('contact_books.update', 'PATCH', path, {'emoji': '*'})
made = call('contacts.create', 'POST', path + '/contacts', {'email': 'ann@example.net', 'firstName': 'Ann'})
contact = path + '/contacts/' + made['contactId']
call('contacts.get', 'GET', contact)
call('contacts.update', 'PATCH', contact, {'lastName': 'Lee', 'properties': {'plan': 'pro'}})
call('contacts.upsert', 'PUT', contact, {'email': 'ann@example.net', 'firstName': 'Anne'})
call('contacts.list', 'GET', path + '/contacts?page=1&limit=10')
call('contacts.list, some', 'GET', path + '/contacts?emails=ann%40example.net&ids=' + made['contactId'])
call('contacts.bulk_create', 'POST', path + '/contacts/bulk', [{'email': 'b@example.net'}, {'email': 'c@example.net'}])
more = call('contacts.list, more', 'GET', path + '/contacts')
ids = [one['id'] for one in more if one['email'] != 'ann@example.net']
call('contacts.bulk_delete', 'DELETE', path + '/contacts/bulk', {'contactIds': ids})

draft = {
    'name': 'Spring',
    'from': 'hello@main.test',
    'subject': 'News',
    'contactBookId': book['id'],
    'html': '<p>Hi</p><a href="{{usesend_unsubscribe_url}}">leave</a>',
}
campaign = call('campaigns.create', 'POST', '/campaigns', draft)
place = '/campaigns/' + campaign['id']
call('campaigns.get', 'GET', place)
call('campaigns.schedule', 'POST', place + '/schedule', {'scheduledAt': later.isoformat(), 'batchSize': 10, 'sendNow': False})
call('campaigns.get, scheduled', 'GET', place)
call('campaigns.pause', 'POST', place + '/pause', {})
call('campaigns.resume', 'POST', place + '/resume', {})
call('contacts.delete', 'DELETE', contact)
other = call('contact_books.create, other', 'POST', '/contactBooks', {'name': 'Other'})
call('contact_books.delete', 'DELETE', '/contactBooks/' + other['id'])
call('contact_books.delete, in use', 'DELETE', path)

call('no such email', 'GET', '/emails/nothing')
call('no such domain', 'PUT', '/domains/999999/verify', {})
call('nothing to send', 'POST', '/emails', {'to': 'ann@example.net'})
call('wrong key', 'GET', '/domains', key=wrong)
