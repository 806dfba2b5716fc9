import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ActionForm } from '../../shell/action-form.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { DomainNamesDocument } from '../generated.ts';
import { EVENT_GROUPS, toEventName } from './event-types.ts';
import {
  WebhookCreateDocument,
  type WebhookEventType,
  type WebhookFactsFragment,
  WebhookUpdateDocument,
} from './generated.ts';
import { webhookStrings } from './strings.ts';

interface WebhookFormProps {
  /** Webhook to edit. If omitted, the form creates one. */
  webhook?: WebhookFactsFragment;
  onClose(): void;
  onSaved(): void;
}

export function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const [created, setCreated] = useState<NewWebhook>();
  const [eventTypes, setEventTypes] = useState(webhook?.eventTypes ?? []);
  const [domainIds, setDomainIds] = useState(webhook?.domains.map(({ id }) => id) ?? []);
  const save = async (form: FormData, expectedVersion?: number) => {
    const input = {
      url: getText(form, 'url'),
      description: getText(form, 'description'),
      eventTypes,
      domainIds,
    };
    if (webhook) {
      await runMutation(WebhookUpdateDocument, { id: webhook.id, ...input, expectedVersion });
      showToast(webhookStrings.saved);
      onClose();
    } else setCreated((await runMutation(WebhookCreateDocument, input)).webhookCreate);
    onSaved();
  };
  return (
    <Dialog title={webhook ? webhookStrings.edit : webhookStrings.create} onClose={onClose}>
      {created ? (
        <CreatedWebhook {...created} onClose={onClose} />
      ) : (
        <ActionForm
          version={webhook?.version}
          submit={webhook ? webhookStrings.save : webhookStrings.create}
          onSubmit={save}
          onClose={onClose}
        >
          <Field
            name="url"
            type="url"
            label={webhookStrings.url}
            hint={webhookStrings.urlHint}
            defaultValue={webhook?.url}
            required
          />
          <Field
            name="description"
            label={webhookStrings.description}
            defaultValue={webhook?.description ?? ''}
            maxLength={500}
          />
          <EventSelection selected={eventTypes} onChoose={setEventTypes} />
          <DomainSelection selected={domainIds} onChoose={setDomainIds} />
        </ActionForm>
      )}
    </Dialog>
  );
}

interface NewWebhook {
  id: string;
  secret: string;
}

function CreatedWebhook({ id, secret, onClose }: NewWebhook & { onClose(): void }) {
  const navigate = useNavigate();
  return (
    <>
      <SecretOnce secret={secret} warning={webhookStrings.secretShownOnce} />
      <DialogButtons leave={shellStrings.close} onClose={onClose}>
        <Button look="primary" onClick={() => navigate({ to: '/email/webhooks/$id', params: { id } })}>
          {webhookStrings.viewWebhook}
        </Button>
      </DialogButtons>
    </>
  );
}

interface SelectionProps<Value> {
  selected: Value[];
  onChoose(next: Value[]): void;
}

function EventSelection({ selected, onChoose }: SelectionProps<WebhookEventType>) {
  const [isNarrow, setIsNarrow] = useState(selected.length > 0);
  return (
    <>
      <Select
        label={webhookStrings.events}
        value={isNarrow ? 'some' : ''}
        options={[
          ['', webhookStrings.allEvents],
          ['some', webhookStrings.selectedEvents],
        ]}
        onChange={({ target }) => {
          setIsNarrow(target.value !== '');
          if (target.value === '') onChoose([]);
        }}
      />
      {isNarrow &&
        Object.entries(EVENT_GROUPS).map(([group, types]) => (
          <fieldset key={group} className="webhook-ticks">
            <legend>{webhookStrings.groups[group as keyof typeof EVENT_GROUPS]}</legend>
            {types.map((type) => (
              <Checkbox
                key={type}
                label={toEventName(type)}
                checked={selected.includes(type)}
                onChange={() => onChoose(toggle(selected, type))}
              />
            ))}
          </fieldset>
        ))}
    </>
  );
}

function DomainSelection({ selected, onChoose }: SelectionProps<string>) {
  const { data } = useGraphqlQuery(DomainNamesDocument, {});
  const domains = data?.sendingDomains.nodes ?? [];
  if (domains.length === 0) return null;
  return (
    <fieldset className="webhook-ticks">
      <legend>{webhookStrings.domains}</legend>
      <p className="quiet small">{webhookStrings.domainsHint}</p>
      {domains.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={selected.includes(id)}
          onChange={() => onChoose(toggle(selected, id))}
        />
      ))}
    </fieldset>
  );
}

const toggle = <Value,>(list: Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((item) => item !== value) : [...list, value];
