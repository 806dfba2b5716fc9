import './copy-value.css';
import { CopyValue } from './copy-value.tsx';

interface SecretOnceProps {
  secret: string;
  /** That it will not be shown again. */
  warning: string;
  copy: string;
  copied: string;
}

/** A secret that was just created. It lives in the part that shows it, and nowhere else. */
export const SecretOnce = ({ secret, warning, copy, copied }: SecretOnceProps) => (
  <div className="secret-once" role="status">
    <CopyValue value={secret} copy={copy} copied={copied} />
    <p>{warning}</p>
  </div>
);
