import './copy-value.css';
import { CopyValue } from './copy-value.tsx';

interface SecretOnceProps {
  secret: string;
  /** States that the secret will not be shown again. */
  warning: string;
  copy: string;
  copied: string;
}

/** A newly created secret, stored only in this component. */
export const SecretOnce = ({ secret, warning, copy, copied }: SecretOnceProps) => (
  <div className="secret-once" role="status">
    <CopyValue value={secret} copy={copy} copied={copied} />
    <p>{warning}</p>
  </div>
);
