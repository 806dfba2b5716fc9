"""What a user of OdooRPC does, check by check, with the package as Debian ships it: connecting, calling, ending."""

import json
import os
import tempfile
import urllib.request

import odoorpc
from odoorpc_peer import DB, HOST, PORT, At, check, connect, given


@check
def the_version_is_detected():
    return odoorpc.ODOO(HOST, port=PORT, protocol='jsonrpc').version


@check
def the_version_can_be_forced():
    return odoorpc.ODOO(HOST, port=PORT, version='19.0').version


@check
def login_with_a_key():
    return connect().env.uid


@check
def login_with_a_password():
    return connect(secret=given['password']).env.uid


@check
def login_with_a_wrong_password():
    connect(secret='wrong')


@check
def login_to_an_unknown_database():
    odoorpc.ODOO(HOST, port=PORT).login('nobody', given['login'], given['key'])


@check
def the_list_of_databases_on_the_address_of_one():
    return odoorpc.ODOO(HOST, port=PORT, opener=urllib.request.build_opener(At(given['host']))).db.list()


@check
def the_list_of_databases_elsewhere():
    return odoorpc.ODOO(HOST, port=PORT).db.list()


@check
def dropping_a_database():
    return odoorpc.ODOO(HOST, port=PORT).db.drop('admin', DB)


@check
def a_timeout_can_be_set():
    client = connect(timeout=20)
    client.config['timeout'] = 30
    return [client.env.user.id, client.config['timeout']]


odoo = connect()
env = odoo.env


# -- Environment


@check
def env_tells_db_uid_lang_and_context():
    return [env.db, env.uid, env.lang, env.context]


@check
def env_user():
    user = env.user
    return [user.id, user.login, user.name, user.active, user.share]


@check
def env_user_over_relations():
    user = env.user
    return [user.company_id.id, user.company_id.name, user.partner_id.name, [c.id for c in user.company_ids]]


@check
def env_knows_which_models_there_are():
    return ['res.partner' in env, 'no.such.model' in env]


@check
def env_ref():
    return [[r._name, r.ids] for r in (env.ref('base.main_company'), env.ref('base.user_admin'))]


@check
def env_ref_of_groups_languages_countries():
    return [env.ref('base.group_user')._name, env.ref('base.lang_en').code, env.ref('base.be').code]


@check
def env_ref_of_nothing():
    env.ref('base.no_such_thing')


@check
def env_of_an_unknown_model():
    env['no.such.model']


@check
def env_registry_holds_the_models_used():
    return [repr(env['res.partner']), repr(env['res.users']), 'res.users' in env.registry]


@check
def env_with_another_context():
    other = env(context={'lang': 'en_US', 'active_test': False})
    return [other.context, other.uid == env.uid, other.db == env.db]


# -- Low-level calls


@check
def execute_read():
    return odoo.execute('res.partner', 'read', [env.user.partner_id.id], ['name'])


@check
def execute_create_and_unlink():
    made = odoo.execute('res.partner', 'create', {'name': 'Executed'})
    return [type(made).__name__, odoo.execute('res.partner', 'unlink', [made])]


@check
def execute_kw_with_names():
    return odoo.execute_kw('res.users', 'search_read', [[('id', '=', env.uid)]], {'fields': ['login']})


@check
def execute_kw_without_arguments():
    return odoo.execute_kw('res.users', 'context_get')


@check
def execute_with_a_missing_argument():
    odoo.execute('res.partner', 'write')


@check
def execute_of_an_unknown_method():
    odoo.execute('res.partner', 'no_such_method')


@check
def execute_of_an_unknown_model():
    odoo.execute('no.such.model', 'search', [])


@check
def execute_of_a_private_method():
    odoo.execute('res.partner', '_search', [])


@check
def an_error_tells_code_message_and_data():
    try:
        odoo.execute('res.partner', 'read', [env.user.partner_id.id], ['no_such_field'])
    except odoorpc.error.RPCError as error:
        info = error.info
        data = info['data']
        known = ['name', 'message', 'arguments', 'context', 'debug']
        return [info['code'], info['message'], [key in data for key in known], data['arguments'] == [str(error)], str(error)]


@check
def a_plain_user_may_not_write():
    other = connect(given['user']['login'], given['user']['key'])
    return other.env['res.partner'].create({'name': 'Not allowed'})


@check
def json_authenticate():
    client = odoorpc.ODOO(HOST, port=PORT)
    answer = client.json('/web/session/authenticate', {'db': DB, 'login': given['login'], 'password': given['password']})
    result = answer['result']
    keys = ['uid', 'db', 'username', 'name', 'partner_id', 'is_admin', 'is_system', 'user_context', 'server_version',
            'server_version_info', 'web.base.url', 'user_companies', 'currencies', 'partner_display_name']
    return [answer['jsonrpc'], [key for key in keys if key not in result], result['uid'], result['db'], result['username']]


@check
def json_session_info():
    return odoo.json('/web/session/get_session_info', {})['result']['uid']


@check
def json_call_kw():
    params = {'model': 'res.users', 'method': 'read', 'args': [[env.uid], ['login']], 'kwargs': {}}
    return odoo.json('/web/dataset/call_kw', params)['result']


@check
def json_call_kw_with_the_method_in_the_path():
    params = {'model': 'res.users', 'method': 'search_count', 'args': [[('id', '=', env.uid)]], 'kwargs': {}}
    return odoo.json('/web/dataset/call_kw/res.users/search_count', params)['result']


@check
def json_attributes_as_path():
    return odoo._connector.proxy_json.web.webclient.version_info()['result']['server_serie']


@check
def http_get():
    return json.load(odoo.http('/web/version'))


# -- Records and their fields, in files of their own

import odoorpc_records  # noqa: E402,F401
import odoorpc_fields  # noqa: E402,F401
import odoorpc_setup  # noqa: E402,F401


# -- Saved sessions and the end


@check
def sessions_are_saved_and_loaded():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'rc')
        odoo.save('here', rc_file=path)
        loaded = odoorpc.ODOO.load('here', rc_file=path)
        answer = [odoorpc.ODOO.list(rc_file=path), loaded.env.uid]
    return answer


@check
def two_users_at_once():
    other = connect(given['user']['login'], given['user']['password'])
    return [other.env.user.login, env.user.login, other.env['res.users'].context_get()['uid'], env['res.users'].search_count([]) > 1]


@check
def logout():
    return [odoo.logout(), odoo.logout()]


@check
def the_session_ends_with_logout():
    odoo.json('/web/session/get_session_info', {})
