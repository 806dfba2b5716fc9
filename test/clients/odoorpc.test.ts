import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDemoData } from '../../schema/base/workspace/demo.ts';
import { type App, startApp } from '../harness/app.ts';
import { findPython, getError, getResult, type Line, runScript } from './python.ts';

const python = await findPython('odoorpc', 'python3-odoorpc');
const id = expect.any(Number);

/** Expected results of the script's checks. A `RegExp` is an expected error. */
const CHECKS: Record<string, unknown> = {
  'the version is detected': '19.0',
  'the version can be forced': '19.0',
  'login with a key': id,
  'login with a password': id,
  'login with a wrong password': /^RPCError odoo\.exceptions\.AccessDenied: Access Denied/,
  'login to an unknown database': /^RPCError odoo\.exceptions\.\w+: .*atabase/,
  'the list of databases on the address of one': ['main'],
  'the list of databases elsewhere': ['main'],
  'dropping a database': /^RPCError odoo\.exceptions\.AccessDenied: Access Denied/,
  'a timeout can be set': [id, 30],

  'env tells db uid lang and context': [
    'main',
    id,
    'en_US',
    { lang: 'en_US', tz: expect.anything(), uid: id },
  ],
  'env user': [id, 'admin', 'admin', true, false],
  'env user over relations': [id, expect.any(String), 'admin', [id]],
  'env knows which models there are': [true, false],
  'env ref': [
    ['res.company', [id]],
    ['res.users', [id]],
  ],
  'env ref of groups languages countries': ['res.groups', 'en_US', 'BE'],
  'env ref of nothing': /^RPCError .*base\.no_such_thing/,
  'env of an unknown model': /^RPCError odoo\.exceptions\.UserError: .*no\.such\.model.* doesn't exist/,
  'env registry holds the models used': ["Model('res.partner')", "Model('res.users')", true],
  'env with another context': [{ lang: 'en_US', active_test: false }, true, true],

  'execute read': [{ id, name: 'admin' }],
  'execute create and unlink': ['int', true],
  'execute kw with names': [{ id, login: 'admin' }],
  'execute kw without arguments': { lang: 'en_US', tz: expect.anything(), uid: id },
  'execute with a missing argument': /^RPCError builtins\.TypeError: /,
  'execute of an unknown method': /^RPCError builtins\.AttributeError: .*no_such_method/,
  'execute of an unknown model': /^RPCError odoo\.exceptions\.UserError: .*no\.such\.model.* doesn't exist/,
  'execute of a private method': /^RPCError odoo\.exceptions\.AccessError: .*_search/,
  'an error tells code message and data': [
    0,
    'Odoo Server Error',
    [true, true, true, true, true],
    true,
    expect.stringContaining('no_such_field'),
  ],
  'a plain user may not write': /^RPCError odoo\.exceptions\.AccessError: .*res\.partner/s,
  'json authenticate': ['2.0', [], id, 'main', 'admin'],
  'json session info': id,
  'json call kw': [{ id, login: 'admin' }],
  'json call kw with the method in the path': 1,
  'json attributes as path': '19.0',
  'http get': { version: '19.0', version_info: [19, 0, 0, 'final', 0, ''] },

  'model fields are typed': {
    name: 'Char',
    active: 'Boolean',
    color: 'Integer',
    comment: 'Html',
    type: 'Selection',
    parent_id: 'Many2one',
    child_ids: 'One2many',
    category_id: 'Many2many',
    create_date: 'Datetime',
  },
  'model fields tell relation and selection': ['res.partner', 'res.partner', true, 'Name', true],
  'model create one': ['int'],
  'model create many': 3,
  'model create a user': ['New One', 'new@example.com', false, true],
  'model create a user with a login that is taken': /^RPCError odoo\.exceptions\.ValidationError: .*login/is,
  'model create without values': /^RPCError builtins\.TypeError: /,
  'model create with values of no sort': /^RPCError /,
  'model search': [true, true, true],
  'model search count': 3,
  'model search read': ['Ada', 'Bob', 'Cy'],
  'model read': [
    {
      id,
      name: 'Ada',
      city: 'London',
      parent_id: false,
      category_id: [],
      create_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    },
  ],
  'model write': [true, ['Ghent', 'Ghent', 'Ghent']],
  'model copy': ['list', ['Ada (copy)']],
  'model name search': true,
  'model name create': ['Named', true],
  'model default get': { active: true, type: 'contact' },
  'model fields get': { name: { type: 'char', required: expect.any(Boolean) } },
  'model groups': [['Ghent', 3]],
  'model has access': [true, true],
  'model archive and unarchive': [3, 2, 3],

  'browse one': ['Ada', 'Ghent', 3, true, true, 'ada@example.com', true],
  'browse many': [3, ['Ada', 'Bob', 'Cy'], 'Ada', ['Bob', 'Cy'], true],
  'browse twice is equal': [true, true],
  'browse what is not there': /^ValueError: There is no 'res\.partner' record with IDs \[99999999\]/,
  'browse nothing gives the defaults': [[], false, true, 'contact'],
  'record method': [true, 'Analyst', true],
  'record of a user has its groups': [true, false],
  'with context': [[], true],
  'with context on a record': 'en_US',
  'without the context of the user': 3,

  'field char': ['Antwerp', false, false, 'Ghent'],
  'field char required': /^ValueError: 'name' field is required/,
  'field text with every letter': 'Ada <&> é 漢 "quoted" \\ 😀',
  'field html': '<p>Some <b>bold</b> text</p>',
  'field boolean': [true, false],
  'field integer': [7, 0, 0],
  'field selection': ['invoice', 'contact'],
  'field binary': [true, false],
  'field binary of an attachment': ['hello', 'text/plain', 5, true],
  'field datetime is a datetime': ['datetime', 'datetime'],
  'field many2one': ['BE', 'Belgium', [], false],
  'field many2one over many': ['Bob', 'EUR', true, 'admin'],
  'field many2many set': [true, true],
  'field many2many commands': [true, true, true, 2],
  'field many2many emptied': [[], []],
  'field many2many added to and taken from': [true, true],
  'field many2many iterates': ['T1', 'T3'],
  'field one2many set': true,
  'field one2many commands': [3, ['Bob', 'Child', 'Cy'], ['Bob', 'Cy', 'Renamed'], 2],
  'field one2many added to and taken from': [true, true, true],
  'field one2many emptied': [[], 3],
  'field date and money and float of a lead': [
    '2030-01-31',
    '2030-02-01',
    false,
    1250.5,
    12.5,
    'New',
    true,
    'Won',
  ],
  'field datetime of a task': ['2030-01-31 12:30:00', '2030-02-01 08:00:00', false, true],
  'assignments can wait for commit': [true, 'Ghent', false, 'Ada Lovelace', 'London'],
  'assignments can be forgotten': 'London',
  'every model an integration reads can be browsed': {
    'res.users': 2,
    'res.company': id,
    'res.groups': 2,
    'res.country': 2,
    'res.country.state': 2,
    'res.currency': id,
    'res.lang': id,
    'ir.model': 2,
    'ir.model.fields': 2,
    'ir.model.access': 2,
    'ir.rule': id,
    'ir.module.module': 2,
    'ir.config_parameter': id,
    'ir.cron': id,
    'ir.sequence': id,
  },

  'record unlink': [true, []],

  'scheduled actions are switched off': [true, true, []],
  'a language is installed': ['Belgium', 'Belgique'],
  'a user is a contact': ['Main Street 1', ['Desk'], true, false, 'Main Street 1'],
  'access is asked for': [true, true, true, true],
  'a message has its id in a list': [id],
  'a key is made with the password': ['res.users.identitycheck', 'res.users.apikeys.show', 'admin'],
  'the logo of the company is a picture': true,
  'menus and reports are lists': [[], {}],
  'a menu leads to a window action': ['ir.actions.act_window', true, 'res.partner'],
  'a user has a home action': ['ir.actions.actions', 'Customers', true, false],
  'the date of a rate is written': ['2012-01-01', '2012-01-02', 'USD'],

  'sessions are saved and loaded': [['here'], id],
  'two users at once': ['user', 'admin', id, true],
  logout: [true, false],
  'the session ends with logout': /^RPCError odoo\.http\.SessionExpiredException: Session expired/,
};

python.describe('OdooRPC as Debian ships it, unmodified', () => {
  let app: App;
  let lines: Map<string, Line>;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_URL: 'http://atrium.test' });
    await app.main.ctx.tx(async (ctx) => void (await addDemoData(ctx)));
    const { admin, user } = app.main;
    const settings = { ...admin, user, port: app.port, host: 'main.atrium.test' };
    lines = await runScript(python.module, 'odoorpc_checks.py', [JSON.stringify(settings)]);
  });
  afterAll(() => app?.close());

  test.each(Object.entries(CHECKS))('%s', (name, expected) => {
    if (expected instanceof RegExp) expect(getError(lines, name)).toMatch(expected);
    else expect(getResult(lines, name)).toEqual(expected);
  });

  test('the script runs only checks with an expected result', () => {
    expect([...lines.keys()].filter((name) => !Object.hasOwn(CHECKS, name))).toEqual([]);
  });
});
