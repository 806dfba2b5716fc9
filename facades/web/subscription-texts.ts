import { html } from 'hono/html';
import type { Html, ReaderLanguage } from '../../src/http/page.ts';

interface Subscription {
  email: string;
  list: string;
  sender: string;
}

const en = {
  unsubscribe: 'Unsubscribe',
  askUnsubscribe: ({ email, list, sender }: Subscription): Html =>
    html`Unsubscribe <strong>${email}</strong> from the list
<strong>${list}</strong> of <strong>${sender}</strong>?`,
  unsubscribed: 'Unsubscribed',
  isUnsubscribed: 'You are unsubscribed',
  getsNoMore: ({ email, list, sender }: Subscription): Html =>
    html`<strong>${email}</strong> will no longer receive emails from the list
<strong>${list}</strong> of <strong>${sender}</strong>.`,
  wasMistake: 'Was this a mistake?',
  subscribeAgain: 'Subscribe again',
  subscribedAgain: 'You are subscribed again.',
  subscribe: 'Subscribe',
  confirm: 'Confirm your subscription',
  askSubscribe: ({ email, list, sender }: Subscription): Html =>
    html`Subscribe <strong>${email}</strong> to the list
<strong>${list}</strong> of <strong>${sender}</strong>?`,
  yesSubscribe: 'Yes, subscribe',
  subscribed: 'Subscribed',
  isSubscribed: 'You are subscribed',
  getsMail: ({ email, list, sender }: Subscription): Html =>
    html`<strong>${email}</strong> will receive emails from the list
<strong>${list}</strong> of <strong>${sender}</strong>.`,
  noMoreMail: 'No more mail',
  notSubscribed: 'You are not subscribed',
  notOnList: 'Your address is not on this list, or the list was deleted.',
};

const de: typeof en = {
  unsubscribe: 'Abbestellen',
  askUnsubscribe: ({ email, list, sender }) =>
    html`Möchten Sie die Liste <strong>${list}</strong> von <strong>${sender}</strong>
für <strong>${email}</strong> abbestellen?`,
  unsubscribed: 'Abbestellt',
  isUnsubscribed: 'Sie haben die Liste abbestellt',
  getsNoMore: ({ email, list, sender }) =>
    html`<strong>${email}</strong> erhält keine E-Mails mehr von der Liste
<strong>${list}</strong> von <strong>${sender}</strong>.`,
  wasMistake: 'War das ein Versehen?',
  subscribeAgain: 'Wieder abonnieren',
  subscribedAgain: 'Sie haben die Liste wieder abonniert.',
  subscribe: 'Abonnieren',
  confirm: 'Bestätigen Sie Ihr Abonnement',
  askSubscribe: ({ email, list, sender }) =>
    html`Möchten Sie die Liste <strong>${list}</strong> von <strong>${sender}</strong>
mit <strong>${email}</strong> abonnieren?`,
  yesSubscribe: 'Ja, abonnieren',
  subscribed: 'Abonniert',
  isSubscribed: 'Sie haben die Liste abonniert',
  getsMail: ({ email, list, sender }) =>
    html`<strong>${email}</strong> erhält E-Mails von der Liste
<strong>${list}</strong> von <strong>${sender}</strong>.`,
  noMoreMail: 'Keine E-Mails mehr',
  notSubscribed: 'Sie sind nicht angemeldet',
  notOnList: 'Ihre Adresse steht nicht auf dieser Liste, oder die Liste wurde gelöscht.',
};

export const SUBSCRIPTION_TEXTS: Record<ReaderLanguage, typeof en> = { en, de };
