"""The calls of Odoo's external API tutorial, in its order, with Python's own xmlrpc.client. Prints a JSON line a call."""

import json
import sys
import xmlrpc.client

url, db, login, secret, user_login, user_secret = sys.argv[1:]
common = xmlrpc.client.ServerProxy(url + '/xmlrpc/2/common')
models = xmlrpc.client.ServerProxy(url + '/xmlrpc/2/object')
companies = [['is_company', '=', True]]


def say(name, function, *args):
    line = {'name': name}
    try:
        line['result'] = function(*args)
    except xmlrpc.client.Fault as fault:
        line['error'] = 'Fault %r: %s' % (fault.faultCode, fault.faultString)
    except Exception as error:
        line['error'] = '%s: %s' % (type(error).__name__, error)
    print(json.dumps(line), flush=True)
    return line.get('result')


say('version', common.version)
uid = say('authenticate', common.authenticate, db, login, secret, {})
say('authenticate, wrong', common.authenticate, db, login, 'wrong', {})


def execute(name, model, method, args, options=None):
    return say(name, models.execute_kw, db, uid, secret, model, method, args, options or {})


execute('name_search', 'res.partner', 'name_search', ['foo'], {'limit': 10})
execute('search', 'res.partner', 'search', [companies])
execute('search, page', 'res.partner', 'search', [companies], {'offset': 10, 'limit': 5})
execute('search_count', 'res.partner', 'search_count', [companies])
ids = execute('search, one', 'res.partner', 'search', [companies], {'limit': 1})
execute('read', 'res.partner', 'read', [ids])
execute('read, fields', 'res.partner', 'read', [ids], {'fields': ['name', 'country_id', 'comment']})
execute('fields_get', 'res.partner', 'fields_get', [], {'attributes': ['string', 'help', 'type']})
execute('search_read', 'res.partner', 'search_read', [companies], {'fields': ['name', 'country_id', 'comment'], 'limit': 5})
made = execute('create', 'res.partner', 'create', [{'name': 'New Partner'}])
execute('write', 'res.partner', 'write', [[made], {'name': 'Newer partner'}])
execute('read, name', 'res.partner', 'read', [[made], ['display_name']])
execute('unlink', 'res.partner', 'unlink', [[made]])
execute('search, gone', 'res.partner', 'search', [[['id', '=', made]]])

custom = execute('model', 'ir.model', 'create', [{'name': 'Custom Model', 'model': 'x_custom_model', 'state': 'manual'}])
execute('model, name', 'ir.model', 'create', [{'name': 'Custom Model', 'model': 'custom.model', 'state': 'manual'}])
execute('model, fields', 'x_custom_model', 'fields_get', [], {'attributes': ['string', 'help', 'type']})
field = {'model_id': custom, 'ttype': 'char', 'state': 'manual', 'required': True}
execute('field', 'ir.model.fields', 'create', [dict(field, name='x_other')])
execute('field, twice', 'ir.model.fields', 'create', [dict(field, name='x_name')])
record = execute('record', 'x_custom_model', 'create', [{'x_name': 'test record', 'x_other': 'more'}])
execute('record, read', 'x_custom_model', 'read', [[record]])
execute('record, search', 'x_custom_model', 'search_read', [[['x_other', '=', 'more']]], {'fields': ['x_name']})
execute('record, lacking', 'x_custom_model', 'create', [{'x_name': 'no other'}])
user = say('user', common.authenticate, db, user_login, user_secret, {})
say('record, user', models.execute_kw, db, user, user_secret, 'x_custom_model', 'search_read', [[]], {})
