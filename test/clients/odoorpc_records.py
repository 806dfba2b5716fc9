"""Models and records of OdooRPC: searching, creating, browsing, context."""

from odoorpc_peer import check, connect

odoo = connect()
env = odoo.env
Partner = env['res.partner']


@check
def model_fields_are_typed():
    fields = Partner._columns
    names = ['name', 'active', 'color', 'comment', 'type', 'parent_id', 'child_ids', 'category_id', 'create_date']
    return {name: type(fields[name]).__name__ for name in names}


@check
def model_fields_tell_relation_and_selection():
    fields = Partner._columns
    return [fields['parent_id'].relation, fields['child_ids'].relation, ['contact', 'Contact'] in fields['type'].selection,
            fields['name'].string, bool(fields['create_date'].readonly)]


ids = []


@check
def model_create_one():
    global ids
    ids = [Partner.create({'name': 'Ada', 'city': 'London', 'color': 3, 'email': 'ada@example.com'})]
    return [type(i).__name__ for i in ids]


@check
def model_create_many():
    global ids
    ids += Partner.create([{'name': 'Bob'}, {'name': 'Cy'}])
    return len(set(ids))


@check
def model_create_a_user():
    user = env['res.users'].browse(env['res.users'].create({'name': 'New One', 'login': 'new@example.com'}))
    return [user.partner_id.name, user.login, user.login_date, user.company_id.ids == env.user.company_id.ids]


@check
def model_create_a_user_with_a_login_that_is_taken():
    env['res.users'].create({'name': 'Newer One', 'login': 'new@example.com'})


@check
def model_create_without_values():
    Partner.create()


@check
def model_create_with_values_of_no_sort():
    odoo.execute_kw('res.partner', 'create', [10], {'test': True})


@check
def model_search():
    return [Partner.search([('id', 'in', ids)], order='name desc') == ids[::-1],
            Partner.search([('id', 'in', ids)], 1, 1, 'name') == ids[1:2],
            Partner.search([('id', 'in', ids)], limit=2, order='id') == ids[:2]]


@check
def model_search_count():
    return Partner.search_count([('id', 'in', ids)])


@check
def model_search_read():
    return [row['name'] for row in Partner.search_read([('id', 'in', ids)], ['name'], order='name')]


@check
def model_read():
    return Partner.read(ids[:1], ['name', 'city', 'parent_id', 'category_id', 'create_date'])


@check
def model_write():
    return [Partner.write(ids, {'city': 'Ghent'}), [r['city'] for r in Partner.read(ids, ['city'])]]


@check
def model_copy():
    copies = Partner.copy(ids[:1])
    names = [row['name'] for row in Partner.read(copies, ['name'])]
    Partner.unlink(copies)
    return [type(copies).__name__, names]


@check
def model_name_search():
    return Partner.name_search('Ada', [('id', 'in', ids)], 'ilike', 5) == [[ids[0], 'Ada']]


@check
def model_name_create():
    made = Partner.name_create('Named')
    return [made[1], Partner.unlink([made[0]])]


@check
def model_default_get():
    return Partner.default_get(['active', 'type', 'name'])


@check
def model_fields_get():
    return Partner.fields_get(['name'], attributes=['type', 'required'])


@check
def model_groups():
    rows = Partner.formatted_read_group([('id', 'in', ids)], ['city'], ['__count'])
    return [[row['city'], row['__count']] for row in rows]


@check
def model_has_access():
    return [Partner.has_access([], 'write'), Partner.check_access_rights('read', raise_exception=False)]


@check
def model_archive_and_unarchive():
    before = Partner.search_count([('id', 'in', ids)])
    Partner.action_archive(ids[:1])
    archived = Partner.search_count([('id', 'in', ids)])
    Partner.action_unarchive(ids[:1])
    return [before, archived, Partner.search_count([('id', 'in', ids)])]


@check
def browse_one():
    ada = Partner.browse(ids[0])
    return [ada.name, ada.city, ada.color, ada.id == ids[0], int(ada) == ids[0], ada['email'], repr(ada) == "Recordset('res.partner', [%s])" % ids[0]]


@check
def browse_many():
    records = Partner.browse(ids)
    return [len(records), [r.name for r in records], records[0].name, [r.name for r in records[1:]], records.ids == ids]


@check
def browse_twice_is_equal():
    return [Partner.browse(ids[0]) == Partner.browse(ids[0]), Partner.browse(ids[0]) != Partner.browse(ids[1])]


@check
def browse_what_is_not_there():
    Partner.browse(99999999)


@check
def browse_nothing_gives_the_defaults():
    record = Partner.browse(False)
    return [record.ids, record.name, record.active, record.type]


@check
def record_method():
    ada = Partner.browse(ids[0])
    copies = ada.copy()
    return [ada.write({'function': 'Analyst'}), ada.read(['function'])[0]['function'], Partner.unlink(copies)]


@check
def record_of_a_user_has_its_groups():
    return [env.user.has_group('base.group_user'), env.user.has_group('base.no_such_group')]


@check
def with_context():
    hidden = Partner.create({'name': 'Hidden', 'active': False})
    found = [Partner.search([('id', '=', hidden)]), Partner.with_context(active_test=False).search([('id', '=', hidden)])]
    Partner.unlink([hidden])
    return [found[0], found[1] == [hidden]]


@check
def with_context_on_a_record():
    return Partner.browse(ids[0]).with_context(lang='en_US').env.context['lang']


@check
def without_the_context_of_the_user():
    odoo.config['auto_context'] = False
    try:
        return Partner.search_count([('id', 'in', ids)])
    finally:
        odoo.config['auto_context'] = True


@check
def every_model_an_integration_reads_can_be_browsed():
    names = ['res.users', 'res.company', 'res.groups', 'res.country', 'res.country.state', 'res.currency', 'res.lang', 'ir.model',
             'ir.model.fields', 'ir.model.access', 'ir.rule', 'ir.module.module', 'ir.config_parameter', 'ir.cron', 'ir.sequence']
    counts = {}
    for name in names:
        found = env[name].search([], limit=2)
        counts[name] = len(env[name].browse(found))
    return counts


@check
def record_unlink():
    return [Partner.browse(ids).unlink(), Partner.search([('id', 'in', ids)])]
