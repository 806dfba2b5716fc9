import './copy-value.css';
import { CopyValue } from './copy-value.tsx';

interface SecretOnceProps {
  secret: string;
  /** States that the secret will not be shown again. */
  warning: string;
}

/** A newly created secret, stored only in this component. */
export const SecretOnce = ({ secret, warning }: SecretOnceProps) => (
  <div className="secret-once" role="status">
    <CopyValue value={secret} />
    <p>{warning}</p>
  </div>
);
