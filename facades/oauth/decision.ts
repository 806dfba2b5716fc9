import { interactionPolicy } from 'oidc-provider';

// What has to happen before a client gets a code: a person decides, each time, about this one request.

const { base, Check, Prompt } = interactionPolicy;

/** Every request leads to the page of the decision; what else clients ask for is answered there too. */
export const DECISION = base();
DECISION.clear();
DECISION.add(
  new Prompt(
    { name: 'consent', requestable: true },
    new Check('decision', 'The user has to decide.', 'consent_required', ({ oidc }) => !oidc.result?.consent),
  ),
);
DECISION.add(new Prompt({ name: 'login', requestable: true }));
DECISION.add(new Prompt({ name: 'select_account', requestable: true }));
