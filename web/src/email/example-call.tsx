import { Link } from '@tanstack/react-router';
import { shellWords } from '../shell/words.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { buildCurlCommand } from './curl.ts';
import { emailWords } from './words.ts';

interface ExampleCallProps {
  /** Below `/api/v1`. */
  path: string;
  body: object;
}

/** A call of the API, to be copied; what it takes of one's own is filled in. */
export const ExampleCall = ({ path, body }: ExampleCallProps) => (
  <>
    <CopyText
      label={emailWords.apiCall}
      text={buildCurlCommand(location.origin, path, body, emailWords.yourKey)}
      copy={shellWords.copy}
      copied={shellWords.copied}
    />
    <p>
      <Link to="/email/keys">{emailWords.createKey}</Link>
    </p>
  </>
);
