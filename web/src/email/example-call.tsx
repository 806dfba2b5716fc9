import { Link } from '@tanstack/react-router';
import { CopyText } from '../ui/copy-text.tsx';
import { buildCurlCommand } from './curl.ts';
import { emailStrings } from './strings.ts';

interface ExampleCallProps {
  /** Relative to `/api/v1`. */
  path: string;
  body: object;
}

export const ExampleCall = ({ path, body }: ExampleCallProps) => (
  <>
    <CopyText
      label={emailStrings.apiCall}
      text={buildCurlCommand(location.origin, path, body, emailStrings.apiKeyPlaceholder)}
    />
    <p>
      <Link to="/email/keys">{emailStrings.createKey}</Link>
    </p>
  </>
);
