"""What OdooRPC's own tests do before and beside their checks: jobs, languages, users as contacts, keys, pictures."""

import datetime

import odoorpc
from odoorpc_peer import DB, HOST, PORT, check, connect, given

odoo = connect()
env = odoo.env


@check
def scheduled_actions_are_switched_off():
    Cron = env['ir.cron']
    ids = Cron.search([])
    return [len(ids) > 0, Cron.write(ids, {'active': False}), Cron.search([])]


@check
def a_language_is_installed():
    Lang = env['res.lang'].with_context(active_test=False)
    Wizard = env['base.language.install']
    wizard = Wizard.create({'lang_ids': [(6, 0, Lang.search([('code', '=', 'fr_FR')]))]})
    Wizard.lang_install([wizard])
    belgium = env.ref('base.be')
    return [belgium.name, belgium.with_context(lang='fr_FR').name]


@check
def a_user_is_a_contact():
    user = env.user
    user.street = 'Main Street 1'
    user.child_ids = [(0, 0, {'name': 'Desk'})]
    seen = [user.street, [child.name for child in user.child_ids], len(user.avatar_128) > 20]
    user.state_id = False
    return seen + [bool(user.state_id), env.user.partner_id.street]


@check
def access_is_asked_for():
    Access = env['ir.model.access']
    return [Access.check('res.partner', mode) for mode in ('read', 'write', 'create', 'unlink')]


@check
def a_message_has_its_id_in_a_list():
    posted = env['res.partner'].message_post([env.user.partner_id.id], body='Hello')
    return posted


@check
def a_key_is_made_with_the_password():
    client = odoorpc.ODOO(HOST, port=PORT)
    client.login(DB, given['login'], given['password'])
    client.json('/web/session/authenticate', {'db': DB, 'login': given['login'], 'password': given['password']})
    press = lambda model, method, id: client.json(
        '/web/dataset/call_button', {'model': model, 'method': method, 'args': [[id]], 'kwargs': {}})['result']
    description = client.env['res.users.apikeys.description'].create({'name': 'TEST'})
    action = press('res.users.apikeys.description', 'make_key', description)
    asked = client.env['res.users.identitycheck'].browse(action['res_id'])
    asked.password = given['password']
    shown = press('res.users.identitycheck', 'run_check', asked.id)
    client.login(DB, given['login'], shown['context']['default_key'])
    return [action['res_model'], shown['res_model'], client.env.user.login]


@check
def the_logo_of_the_company_is_a_picture():
    return odoo.http('/web/binary/company_logo').read()[:4] == b'\x89PNG'


@check
def menus_and_reports_are_lists():
    return [env['ir.ui.menu'].search([]), odoo.report.list()]


@check
def a_menu_leads_to_a_window_action():
    Menu = env['ir.ui.menu']
    values = Menu.default_get(list(Menu.fields_get([])))
    action = env.ref('base.action_partner_form')
    values.update(name='Customers', action='%s,%s' % (action._name, action.id))
    menu = Menu.browse(Menu.create(values))
    return [menu.action._name, menu.action == action, menu.action.res_model]


@check
def a_user_has_a_home_action():
    user = env.user
    user.action_id = env.ref('base.action_partner_form').id
    first = user.action_id
    user.action_id = env['ir.actions.actions'].browse(first.id)
    home = odoo.json('/web/session/get_session_info', {})['result']['home_action_id']
    seen = [first._name, user.action_id.name, home == first.id]
    user.action_id = False
    return seen + [bool(user.action_id)]


@check
def the_date_of_a_rate_is_written():
    rate = env.ref('base.rateUSD')
    rate.name = '2012-01-01'
    read = rate.read(['name'])[0]['name']
    rate.name = datetime.date(2012, 1, 2)
    return [read, rate.name.isoformat(), rate.currency_id.name]
