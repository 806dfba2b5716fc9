import type { Endpoint } from '../endpoint.ts';
import { analytics } from './analytics.ts';
import { campaigns } from './campaigns.ts';
import { contactBooks } from './contact-books.ts';
import { contacts } from './contacts.ts';
import { contactsFile } from './contacts-file.ts';
import { domains } from './domains.ts';
import { emails } from './emails.ts';

/** In the order of the OpenAPI document. The first matching endpoint handles a request. */
export const endpoints: Endpoint[] = [
  ...emails,
  ...domains,
  ...analytics,
  ...contactBooks,
  ...contactsFile,
  ...contacts,
  ...campaigns,
];
