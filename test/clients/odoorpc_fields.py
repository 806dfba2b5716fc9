"""Fields of OdooRPC's records: read as attributes, written by assignment, types of Python on either side."""

import base64
import datetime

from odoorpc_peer import check, connect

odoo = connect()
env = odoo.env
Partner = env['res.partner']
PIXEL = (
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
)
ids = Partner.create([{'name': 'Ada'}, {'name': 'Bob'}, {'name': 'Cy'}])


def written(field, value, model=None, record=None):
    """Assigns, which writes, and reads the field back from the server."""
    model = model or Partner
    record = record or ids[0]
    setattr(model.browse(record), field, value)
    return getattr(model.browse(record), field)


@check
def field_char():
    return [written('city', 'Antwerp'), written('city', False), written('city', None), written('city', 'Ghent')]


@check
def field_char_required():
    written('name', False, env['res.country'], env.ref('base.be').id)


@check
def field_text_with_every_letter():
    return written('name', 'Ada <&> é 漢 "quoted" \\ 😀')


@check
def field_html():
    return written('comment', '<p>Some <b>bold</b> text</p>')


@check
def field_boolean():
    return [written('is_company', True), written('is_company', False)]


@check
def field_integer():
    return [written('color', 7), written('color', 0), written('color', None)]


@check
def field_selection():
    return [written('type', 'invoice'), written('type', 'contact')]


@check
def field_binary():
    return [written('image_1920', PIXEL) == PIXEL, written('image_1920', False)]


@check
def field_binary_of_an_attachment():
    Attachment = env['ir.attachment']
    made = Attachment.create({'name': 'note.txt', 'datas': base64.b64encode(b'hello').decode()})
    note = Attachment.browse(made)
    answer = [base64.b64decode(note.datas).decode(), note.mimetype, note.file_size]
    return answer + [note.unlink()]


@check
def field_datetime_is_a_datetime():
    return [type(Partner.browse(ids[0]).create_date).__name__, type(Partner.browse(ids[0]).write_date).__name__]


@check
def field_many2one():
    belgium = env.ref('base.be')
    return [written('country_id', belgium).code, written('country_id', belgium.id).name, written('country_id', False).ids,
            bool(written('country_id', None).ids)]


@check
def field_many2one_over_many():
    Partner.write(ids[:1], {'parent_id': ids[1], 'country_id': env.ref('base.be').id})
    ada = Partner.browse(ids[0])
    answer = [ada.parent_id.name, ada.country_id.currency_id.name, ada.parent_id.child_ids.ids == ids[:1], ada.create_uid.login]
    Partner.write(ids[:1], {'parent_id': False})
    return answer


tags = []


@check
def field_many2many_set():
    global tags
    tags = env['res.partner.category'].create([{'name': 'T1'}, {'name': 'T2'}, {'name': 'T3'}])
    return [written('category_id', tags[:2]).ids == tags[:2], written('category_id', env['res.partner.category'].browse(tags[1:])).ids == tags[1:]]


@check
def field_many2many_commands():
    return [written('category_id', [(4, tags[0])]).ids == tags, written('category_id', [(3, tags[0], 0)]).ids == tags[1:],
            written('category_id', [(6, 0, tags[:1])]).ids == tags[:1], len(written('category_id', [(0, 0, {'name': 'T4'})]))]


@check
def field_many2many_emptied():
    return [written('category_id', []).ids, written('category_id', False).ids]


@check
def field_many2many_added_to_and_taken_from():
    ada = Partner.browse(ids[0])
    ada.category_id += tags[0]
    ada.category_id += env['res.partner.category'].browse(tags[1:])
    added = Partner.browse(ids[0]).category_id.ids == tags
    ada = Partner.browse(ids[0])
    ada.category_id -= tags[1]
    return [added, Partner.browse(ids[0]).category_id.ids == [tags[0], tags[2]]]


@check
def field_many2many_iterates():
    return [tag.name for tag in Partner.browse(ids[0]).category_id]


@check
def field_one2many_set():
    return written('child_ids', ids[1:]).ids == ids[1:]


@check
def field_one2many_commands():
    children = written('child_ids', [(0, 0, {'name': 'Child', 'type': 'contact'})])
    answer = [len(children), sorted(child.name for child in children)]
    child = [c.id for c in children if c.name == 'Child'][0]
    renamed = written('child_ids', [(1, child, {'name': 'Renamed'})])
    return answer + [sorted(c.name for c in renamed), len(written('child_ids', [(2, child)]))]


@check
def field_one2many_added_to_and_taken_from():
    ada = Partner.browse(ids[0])
    ada.child_ids -= ids[1]
    taken = Partner.browse(ids[0]).child_ids.ids == ids[2:]
    ada = Partner.browse(ids[0])
    ada.child_ids += Partner.browse(ids[1])
    return [taken, sorted(Partner.browse(ids[0]).child_ids.ids) == sorted(ids[1:]), Partner.browse(ids[1]).parent_id.id == ids[0]]


@check
def field_one2many_emptied():
    return [written('child_ids', []).ids, Partner.search_count([('id', 'in', ids)])]


@check
def field_date_and_money_and_float_of_a_lead():
    Lead = env['crm.lead']
    lead = Lead.create({'name': 'Big one', 'type': 'opportunity'})
    answer = [written('date_deadline', datetime.date(2030, 1, 31), Lead, lead), written('date_deadline', '2030-02-01', Lead, lead),
              written('date_deadline', False, Lead, lead), written('expected_revenue', 1250.5, Lead, lead),
              written('probability', 12.5, Lead, lead)]
    return answer + [Lead.browse(lead).stage_id.name, Lead.browse(lead).action_set_won(), Lead.browse(lead).stage_id.name]


@check
def field_datetime_of_a_task():
    Task = env['project.task']
    task = Task.create({'name': 'Do it', 'user_ids': [(6, 0, [env.uid])]})
    answer = [written('date_deadline', datetime.datetime(2030, 1, 31, 12, 30), Task, task),
              written('date_deadline', '2030-02-01 08:00:00', Task, task), written('date_deadline', False, Task, task)]
    return answer + [Task.browse(task).user_ids.ids == [env.uid]]


@check
def assignments_can_wait_for_commit():
    odoo.config['auto_commit'] = False
    try:
        ada = Partner.browse(ids[0])
        ada.name = 'Ada Lovelace'
        ada.city = 'London'
        before = [ada in env.dirty, Partner.read(ids[:1], ['city'])[0]['city']]
        env.commit()
        after = Partner.read(ids[:1], ['name', 'city'])[0]
        return before + [ada in env.dirty, after['name'], after['city']]
    finally:
        odoo.config['auto_commit'] = True


@check
def assignments_can_be_forgotten():
    odoo.config['auto_commit'] = False
    try:
        Partner.browse(ids[0]).city = 'Nowhere'
        env.invalidate()
        env.commit()
        return Partner.read(ids[:1], ['city'])[0]['city']
    finally:
        odoo.config['auto_commit'] = True
