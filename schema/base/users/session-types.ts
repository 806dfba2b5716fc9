import { builder } from '../../../src/engine/operation/builder.ts';

// The shapes of these GraphQL types follow classic RPC (Odoo 19).

interface SessionContext {
  lang: string;
  tz: string | false | null;
  uid: number | null;
}

export const UserContext = builder.objectRef<SessionContext>('UserContext').implement({
  description: 'Language and time zone of the calling user.',
  fields: (t) => ({
    userId: t.id({ description: 'User id.', resolve: ({ uid }) => uid! }),
    language: t.exposeString('lang', { description: 'Language code, such as `en_US`.' }),
    timeZone: t.string({
      nullable: true,
      description: 'Name of the time zone, such as `Europe/Brussels`. Null if the user has not set one.',
      resolve: ({ tz }) => tz || null,
    }),
  }),
});

type RecordRow = Record<string, unknown> & { id: number };

const SessionCompany = builder.objectRef<RecordRow>('SessionCompany').implement({
  description: 'A company that the calling user may use.',
  fields: (t) => ({
    id: t.id({ description: 'Company id.', resolve: (company) => company.id }),
    name: t.string({ description: 'Name of the company.', resolve: (company) => String(company.name) }),
    sequence: t.int({ description: 'Position in lists.', resolve: (company) => Number(company.sequence) }),
    parentId: t.id({
      nullable: true,
      description: 'Parent company.',
      resolve: (company) => (company.parent_id as number | false) || null,
    }),
    childIds: t.field({
      type: ['ID'],
      description: 'Child companies.',
      resolve: (company) => company.child_ids as number[],
    }),
    currencyId: t.id({
      description: 'Currency of the company.',
      resolve: (company) => company.currency_id as number,
    }),
  }),
});

const SymbolPosition = builder.enumType('SymbolPosition', {
  description: 'Position of a currency symbol.',
  values: {
    BEFORE: { value: 'before', description: 'Before the amount.' },
    AFTER: { value: 'after', description: 'After the amount.' },
  } as const,
});

interface SessionCurrencyRow {
  id: number;
  name: string;
  symbol: string;
  position: 'before' | 'after';
  digits: [number, number];
}

const SessionCurrency = builder.objectRef<SessionCurrencyRow>('SessionCurrency').implement({
  description: 'A currency of the workspace.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Currency id.' }),
    name: t.exposeString('name', { description: 'ISO 4217 code, such as `EUR`.' }),
    symbol: t.exposeString('symbol', { description: 'Symbol, such as `€`.' }),
    position: t.expose('position', { type: SymbolPosition, description: 'Position of the symbol.' }),
    decimalPlaces: t.int({
      description: 'Digits after the decimal point.',
      resolve: ({ digits: [, places] }) => places,
    }),
  }),
});

/** Result of classic RPC's `session_info`, without the parts that only Odoo's web client reads. */
interface SessionValues {
  uid: number;
  name: string;
  username: string;
  db: string;
  registry_hash: string;
  is_system: boolean;
  is_admin: boolean;
  is_internal_user: boolean;
  user_context: SessionContext;
  groups: Record<string, boolean>;
  partner_id: number | null;
  partner_display_name: unknown;
  currencies: Record<string, Omit<SessionCurrencyRow, 'id'>>;
  user_companies: { current_company: number | null; allowed_companies: Record<string, RecordRow> };
}

export const SessionInfo = builder.objectRef<SessionValues>('SessionInfo').implement({
  description: "The calling user, the companies that the user may use and the workspace's currencies.",
  fields: (t) => ({
    userId: t.exposeID('uid', { description: 'User id.' }),
    login: t.exposeString('username', { description: 'Login name.' }),
    name: t.exposeString('name', { description: 'Full name.' }),
    workspace: t.exposeString('db', { description: 'Short name of the workspace.' }),
    registryHash: t.exposeString('registry_hash', {
      description: "Hash that changes whenever the workspace's models change.",
    }),
    isSystem: t.exposeBoolean('is_system', { description: 'True if the user has the Administrator role.' }),
    isAdmin: t.exposeBoolean('is_admin', {
      description: 'True if the user can administer access rights or has the Administrator role.',
    }),
    isInternal: t.exposeBoolean('is_internal_user', { description: 'True if the user is an internal user.' }),
    mayExport: t.boolean({
      description: 'True if the user may export records.',
      resolve: ({ groups }) => Object.values(groups).some(Boolean),
    }),
    context: t.expose('user_context', { type: UserContext, description: 'Language and time zone.' }),
    partnerId: t.id({
      nullable: true,
      description: 'Contact of the user.',
      resolve: ({ partner_id: id }) => id,
    }),
    partnerName: t.string({
      nullable: true,
      description: 'Display name of the contact.',
      resolve: ({ partner_display_name: name }) => (name as string | false) || null,
    }),
    companyId: t.id({
      nullable: true,
      description: 'Company that the user works for.',
      resolve: ({ user_companies: { current_company: id } }) => id,
    }),
    companies: t.field({
      type: [SessionCompany],
      description: 'Companies that the user may use.',
      resolve: ({ user_companies: { allowed_companies: all } }) => Object.values(all),
    }),
    currencies: t.field({
      type: [SessionCurrency],
      description: 'Currencies of the workspace.',
      resolve: ({ currencies }) =>
        Object.entries(currencies).map(([id, currency]) => ({ ...currency, id: Number(id) })),
    }),
  }),
});

export const SessionLanguage = builder.objectRef<[string, string]>('SessionLanguage').implement({
  description: 'A language of the workspace.',
  fields: (t) => ({
    code: t.string({ description: 'Language code, such as `fr_FR`.', resolve: ([code]) => code }),
    name: t.string({ description: 'Name of the language.', resolve: ([, name]) => name }),
  }),
});
