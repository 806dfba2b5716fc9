import { EmptyState } from '../ui/empty-state.tsx';
import { ExampleCall } from './example-call.tsx';
import { useOwnDomain } from './own-domain.ts';
import { emailStrings } from './strings.ts';
import { TestEmail } from './test-email.tsx';

export function FirstEmail() {
  const domain = useOwnDomain();
  return (
    <EmptyState title={emailStrings.noEmailsYet} text={emailStrings.noEmailsYetText}>
      <TestEmail look="primary" />
      {domain && (
        <>
          <p>{emailStrings.sendWithApi}</p>
          <ExampleCall
            path="/emails"
            body={{ from: `hello@${domain}`, to: 'you@example.org', subject: 'Hello', text: 'It works.' }}
          />
        </>
      )}
    </EmptyState>
  );
}
