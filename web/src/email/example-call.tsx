import { Link } from '@tanstack/react-router';
import { shellStrings } from '../shell/strings.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { buildCurlCommand } from './curl.ts';
import { emailStrings } from './strings.ts';

interface ExampleCallProps {
  /** Below `/api/v1`. */
  path: string;
  body: object;
}

/** A call of the API, to be copied; what it takes of one's own is filled in. */
export const ExampleCall = ({ path, body }: ExampleCallProps) => (
  <>
    <CopyText
      label={emailStrings.apiCall}
      text={buildCurlCommand(location.origin, path, body, emailStrings.yourKey)}
      copy={shellStrings.copy}
      copied={shellStrings.copied}
    />
    <p>
      <Link to="/email/keys">{emailStrings.createKey}</Link>
    </p>
  </>
);
