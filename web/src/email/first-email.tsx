import { Link } from '@tanstack/react-router';
import { useViewer } from '../shell/viewer.ts';
import { Empty } from '../ui/empty.tsx';
import { emailWords } from './words.ts';

/** What email is for, and the call that sends the first one. */
export function FirstEmail() {
  const { workspace } = useViewer();
  const from = `hello@${workspace.slug}.localhost`;
  const email = { from, to: 'you@example.org', subject: 'Hello', text: 'It works.' };
  const body = JSON.stringify(email, null, 2).replace(/\n/g, '\n     ');
  return (
    <Empty title={emailWords.nothingSent}>
      <p>{emailWords.nothingSentText}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, and then needs the keyboard */}
      <section className="scroll-x" tabIndex={0} aria-label={emailWords.firstCall}>
        <pre>{`curl ${location.origin}/api/v1/emails \\
  -H 'Authorization: Bearer ${emailWords.yourKey}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`}</pre>
      </section>
      <p>
        <Link to="/email/keys">{emailWords.createKey}</Link>
      </p>
    </Empty>
  );
}
