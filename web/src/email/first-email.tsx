import { Empty } from '../ui/empty.tsx';
import { ExampleCall } from './example-call.tsx';
import { useOwnDomain } from './own-domain.ts';
import { emailWords } from './words.ts';

/** What email is for, and the call that sends the first one. */
export function FirstEmail() {
  const domain = useOwnDomain();
  return (
    <Empty title={emailWords.nothingSent}>
      <p>{emailWords.nothingSentText}</p>
      {domain && (
        <ExampleCall
          path="/emails"
          body={{ from: `hello@${domain}`, to: 'you@example.org', subject: 'Hello', text: 'It works.' }}
        />
      )}
    </Empty>
  );
}
