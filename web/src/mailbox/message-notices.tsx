import { Icon } from '../ui/icon.tsx';
import type { MailMessageQuery } from './generated.ts';
import { findMisleadingAddress } from './sender/misleading-name.ts';
import { mailStrings } from './strings.ts';

type MessageNoticesProps = Pick<
  NonNullable<MailMessageQuery['mailMessage']>,
  'id' | 'from' | 'verdicts' | 'encryption'
>;

export function MessageNotices({ id, from, verdicts, encryption }: MessageNoticesProps) {
  const misleading = from && findMisleadingAddress(from.name, from.email);
  return (
    <>
      {verdicts?.doubt && (
        <p className="message-notice small" role="alert">
          <Icon name="warning" />
          <span className="grow">{mailStrings.doubt[verdicts.doubt]}</span>
        </p>
      )}
      {misleading && (
        <p className="message-notice small" role="alert">
          <Icon name="warning" />
          <span className="grow">{mailStrings.misleadingName(misleading, from.email)}</span>
        </p>
      )}
      {encryption && (
        <p className="message-notice small">
          <Icon name="warning" />
          <span className="grow">{mailStrings.encrypted[encryption]}</span>
          <a className="button" href={`/mail/part/${id}/0`} download>
            {mailStrings.download}
          </a>
        </p>
      )}
    </>
  );
}
