/** A contact in the seed: recorded id, name, recorded id of its company, and further values used by requests. */
export type Contact = [id: number, name: string, parent: number | null, more?: Record<string, unknown>];

const buildCompany = (overrides: object = {}) => ({
  is_company: true,
  country_id: '@res.country:233',
  ...overrides,
});
const TAGGED = { category_id: [[6, 0, ['@res.partner.category:7']]] };
const buildJob = (role: string, overrides: object = {}) => ({ function: role, ...overrides });
const inCountry = (country: number) => ({ country_id: `@res.country:${country}` });

/** Invented people and companies with the ids, parents and sort orders (name, email, country) of the recording. */
export const CONTACTS: Contact[] = [
  [8, 'Woodlark Joinery', null, buildCompany({ email: 'bench@woodlark.example', ...TAGGED })],
  [
    9,
    'Acme Corporation',
    null,
    buildCompany({
      email: 'info@acme.example',
      phone: '+1 555 0109',
      street: '9 Elm Row',
      city: 'Harlow',
      zip: '90009',
      website: 'https://acme.example',
      ...TAGGED,
    }),
  ],
  [10, 'Garnet Furniture', null, buildCompany({ email: 'sales@garnet.example', ...TAGGED })],
  [11, 'Ready Maps', null, buildCompany({ email: 'post@readymaps.example', ...TAGGED })],
  [12, 'Omega Optics', null, { is_company: true, ...inCountry(6) }],
  [13, 'Larch Lumber', null, { is_company: true, ...inCountry(11) }],
  [14, 'Tidewater Jackets', null, buildCompany({ email: 'hello@tidewater.example' })],
  [
    15,
    'Azimuth Interior',
    null,
    buildCompany({
      email: 'mail@azimuth.example',
      category_id: [[6, 0, ['@res.partner.category:5']]],
    }),
  ],
  [16, 'Linden Office', null, buildCompany({ email: 'desk@linden.example' })],
  [17, 'Willa Burke', 8, buildJob('Service Manager')],
  [18, 'Rowan Reyes', 8, buildJob('Director')],
  [19, 'Dora Fletcher', 9, buildJob('Functional Consultant', { email: 'dora@acme.example' })],
  [20, 'Floyd Hale', 9, buildJob('Analyst')],
  [21, 'Edna Vance', 10, buildJob('Designer', inCountry(31))],
  [22, 'Bea Quill', 11, buildJob('Manager', { email: 'bq@readymaps.example' })],
  [23, 'Jesse Moor', 10, buildJob('Buyer')],
  [24, 'Sofia Long', 10, inCountry(13)],
  [25, 'Nora Pell', 11],
  [26, 'Cora Vale', 11],
  [27, 'Brandon Frei', 15, buildJob('Creative Director')],
  [28, 'Nicole Ford', 15],
  [29, 'Toby Rhodes', 14],
  [30, 'Julie Richter', 14, buildJob('Doctor')],
  [31, 'Sara Kemp', 11],
  [32, 'Lorraine Doyle', 10],
  [33, 'Rhona Pine', 8],
  [34, 'Colleen Diaz', 15, buildJob('Business Executive')],
  [35, 'Jeremy Clark', 16, buildJob('Financial Manager')],
  [36, 'Addison Olsen', 9, buildJob('Sales Representative', { email: 'addison@acme.example' })],
  [37, 'Oscar Wynn', 11],
  [38, 'Kim Snow', 11],
  [39, 'Tomas Ward', 11],
  [40, 'Chester Reid', 1, buildJob('Chief Executive')],
  [41, 'Dwayne Newell', 1],
];
