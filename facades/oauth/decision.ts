import { interactionPolicy } from 'oidc-provider';

// The user must decide on every request before the client receives a code.

const { base, Check, Prompt } = interactionPolicy;

/** Shows the consent page for every request. It replaces all other prompts that clients may request. */
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
