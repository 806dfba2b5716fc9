import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useFormAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Tick } from '../../ui/field.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { say } from '../../ui/toasts.tsx';
import { DomainNamesDocument } from '../generated.ts';
import { EVENT_GROUPS, eventName } from './event-types.ts';
import {
  WebhookCreateDocument,
  type WebhookEventType,
  type WebhookFactsFragment,
  WebhookUpdateDocument,
} from './generated.ts';
import { webhookWords } from './words.ts';

interface WebhookFormProps {
  /** The one to change; without it, a new one is created. */
  webhook?: WebhookFactsFragment;
  onClose(): void;
  onSaved(): void;
}

/** Creates a webhook and shows its secret, or changes one. */
export function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ id: string; secret: string }>();
  const [eventTypes, setEventTypes] = useState(webhook?.eventTypes ?? []);
  const [domainIds, setDomainIds] = useState(webhook?.domains.map(({ id }) => id) ?? []);
  const { isBusy, refusal, wrong, act } = useFormAct();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = {
      url: String(form.get('url')).trim(),
      description: String(form.get('description')).trim(),
      eventTypes,
      domainIds,
    };
    void act(async () => {
      if (webhook) {
        await change(WebhookUpdateDocument, { id: webhook.id, ...given });
        say(webhookWords.saved);
        onClose();
      } else setCreated((await change(WebhookCreateDocument, given)).webhookCreate);
      onSaved();
    });
  };
  const toIt = () => navigate({ to: '/email/webhooks/$id', params: { id: created!.id } });
  return (
    <Dialog title={webhook ? webhookWords.change : webhookWords.create} onClose={onClose}>
      {created ? (
        <>
          <SecretOnce
            secret={created.secret}
            warning={webhookWords.secretOnce}
            copy={shellWords.copy}
            copied={shellWords.copied}
          />
          <div className="buttons">
            <Button look="primary" onClick={toIt}>
              {webhookWords.toIt}
            </Button>
            <Button onClick={onClose}>{shellWords.close}</Button>
          </div>
        </>
      ) : (
        <form className="webhook-form" onSubmit={save}>
          <Field
            name="url"
            type="url"
            label={webhookWords.url}
            hint={webhookWords.urlHint}
            defaultValue={webhook?.url}
            required
            autoComplete="off"
            error={wrong('url')}
          />
          <Field
            name="description"
            label={webhookWords.note}
            defaultValue={webhook?.description ?? ''}
            maxLength={500}
            error={wrong('description')}
          />
          <Events chosen={eventTypes} onChoose={setEventTypes} />
          <Domains chosen={domainIds} onChoose={setDomainIds} />
          {refusal && !FIELDS.some(wrong) && (
            <p className="wrong" role="alert">
              {refusal.message}
            </p>
          )}
          <div className="buttons">
            <Button type="submit" look="primary" isBusy={isBusy}>
              {webhook ? webhookWords.save : webhookWords.create}
            </Button>
            <Button onClick={onClose}>{shellWords.close}</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** Arguments that have a field of their own, which says what is wrong with them. */
const FIELDS = ['url', 'description'];

interface Chosen<Value> {
  chosen: Value[];
  onChoose(next: Value[]): void;
}

function Events({ chosen, onChoose }: Chosen<WebhookEventType>) {
  const [isNarrow, setNarrow] = useState(chosen.length > 0);
  return (
    <>
      <Choice
        label={webhookWords.events}
        value={isNarrow ? 'some' : ''}
        options={[
          ['', webhookWords.allEvents],
          ['some', webhookWords.someEvents],
        ]}
        onChange={({ target }) => {
          setNarrow(target.value !== '');
          if (target.value === '') onChoose([]);
        }}
      />
      {isNarrow &&
        Object.entries(EVENT_GROUPS).map(([group, types]) => (
          <fieldset key={group} className="webhook-ticks">
            <legend>{webhookWords.groups[group as keyof typeof EVENT_GROUPS]}</legend>
            {types.map((type) => (
              <Tick
                key={type}
                label={eventName(type)}
                checked={chosen.includes(type)}
                onChange={() => onChoose(toggled(chosen, type))}
              />
            ))}
          </fieldset>
        ))}
    </>
  );
}

function Domains({ chosen, onChoose }: Chosen<string>) {
  const { data } = useAnswer(DomainNamesDocument, {});
  const domains = data?.sendingDomains.nodes ?? [];
  if (domains.length === 0) return null;
  return (
    <fieldset className="webhook-ticks">
      <legend>{webhookWords.domains}</legend>
      <p className="quiet small">{webhookWords.domainsHint}</p>
      {domains.map(({ id, name }) => (
        <Tick
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={() => onChoose(toggled(chosen, id))}
        />
      ))}
    </fieldset>
  );
}

const toggled = <Value,>(list: Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value];
