import { Link } from '@tanstack/react-router';
import { siteStrings } from '../strings.ts';

export const BackToPagesLink = ({ site }: { site: string | undefined }) => (
  <p>
    <Link to="/website" search={{ site }} className="site-back">
      ‹ {siteStrings.pages}
    </Link>
  </p>
);
