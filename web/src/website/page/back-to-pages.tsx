import { BackLink } from '../../shell/back-link.tsx';
import { siteStrings } from '../strings.ts';

export const BackToPagesLink = ({ site }: { site: string | undefined }) => (
  <BackLink to="/website" search={{ site }} className="site-back">
    {siteStrings.pages}
  </BackLink>
);
