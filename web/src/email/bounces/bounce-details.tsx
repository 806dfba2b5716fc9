import { Link } from '@tanstack/react-router';
import { useViewer } from '../../shell/viewer.ts';
import { emailStrings } from '../strings.ts';
import type { Bounce } from './bounces.ts';

export function BounceDetails({ bounces }: { bounces: Bounce[] }) {
  const { can } = useViewer();
  return bounces.map(({ address, answer, isPermanent }) => (
    <div key={address} className="error-note">
      <p>
        {address}
        {answer && (
          <>
            {': '}
            <code>{answer}</code>
          </>
        )}
      </p>
      <p className="small">
        {isPermanent ? emailStrings.hardBounced : emailStrings.softBounced}{' '}
        {isPermanent && can.has('suppressions') && (
          <Link to="/email/suppressions" search={{ q: address }}>
            {emailStrings.showSuppression}
          </Link>
        )}
      </p>
    </div>
  ));
}
