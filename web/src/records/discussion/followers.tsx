import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { RecordFollowDocument, RecordOwnContactDocument, RecordUnfollowDocument } from '../generated.ts';
import { RecordPicker } from '../inputs/record-picker.tsx';
import { recordStrings } from '../strings.ts';
import { viewStrings } from '../view-strings.ts';
import type { Follower } from './document.ts';

interface FollowersProps {
  model: string;
  id: string;
  followers: Follower[];
  canWrite: boolean;
  reload(): void;
}

/** Followers of a record. Users can follow any record they can read; adding others requires write access. */
export function Followers({ model, id, followers, canWrite, reload }: FollowersProps) {
  const { viewer } = useViewer();
  const { data } = useGraphqlQuery(RecordOwnContactDocument, { user: viewer.userId! });
  const { isBusy, act } = useAction();
  const [isOpen, setIsOpen] = useState(false);
  const ownPartnerId = data?.user?.partnerId;
  const isFollowing = followers.some(({ partnerId }) => partnerId === ownPartnerId);
  const setFollowing = (contact: string, isIn: boolean) =>
    act(async () => {
      await runMutation(isIn ? RecordFollowDocument : RecordUnfollowDocument, {
        model,
        ids: [id],
        contacts: [contact],
      });
      reload();
    });
  return (
    <section>
      <div className="followers-head">
        <h2>{viewStrings.followers}</h2>
        {ownPartnerId && (
          <Button
            isBusy={isBusy}
            aria-pressed={isFollowing}
            onClick={() => setFollowing(ownPartnerId, !isFollowing)}
          >
            {isFollowing ? viewStrings.unfollow : viewStrings.follow}
          </Button>
        )}
      </div>
      <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{formatCount(followers.length, viewStrings.followerCount)}</summary>
        <ul className="followers">
          {followers.map(({ id: follower, partnerId, partner }) => {
            const name = partner?.displayName ?? viewStrings.hiddenContact;
            return (
              <li key={follower}>
                <bdi>{name}</bdi>
                {(canWrite || partnerId === ownPartnerId) && (
                  <IconButton
                    icon="close"
                    label={recordStrings.removeNamed(name)}
                    onClick={() => setFollowing(partnerId, false)}
                  />
                )}
              </li>
            );
          })}
        </ul>
        {canWrite && isOpen && (
          <RecordPicker
            label={viewStrings.addFollower}
            model="res.partner"
            value={null}
            onChoose={(contact) => contact && void setFollowing(contact.id, true)}
          />
        )}
      </details>
    </section>
  );
}
