/** Statements that are let through, by a text that is in them with single spaces. */
export interface Exception {
  text: string;
  why: string;
}

/**
 * What the platform reads of all workspaces at once: Citus asks every shard. None of them changes or locks rows; what is
 * found is changed in one workspace at a time.
 */
export const ACROSS: Exception[] = [
  { text: 'from svc_due d where d.workspace_id <> all', why: 'which workspaces have something due' },
  {
    text: 'select distinct m.workspace_id from svc_email m where m.workspace_id > 0',
    why: 'which workspaces have emails whose worker died, or whose outcome nobody knows',
  },
  {
    text: 'select count(*)::int as n from svc_email m where m.workspace_id > 0',
    why: 'the metric of emails that wait',
  },
  { text: 'from svc_campaign c where c.workspace_id > 0', why: 'campaigns whose turn it is' },
  { text: 'from svc_domain where workspace_id > 0', why: 'domains that the provider is to be asked about' },
  { text: 'from svc_event where dispatched_at is null', why: 'events that nobody has been told of' },
  {
    text: 'from svc_webhook where workspace_id > 0 and (secret not like',
    why: 'secrets of before they were sealed',
  },
  { text: 'select t.workspace_id, "t"."', why: 'rows of logs that are old enough to be purged' },
  { text: 'l where l.workspace_id > 0 and l.create_date >', why: 'workspaces with something new to seal' },
  {
    text: 'from svc_change c where c.workspace_id = any(',
    why: 'what a process that follows several workspaces reads at once',
  },
];

/** What is still to be written anew. What is no longer refused leaves the list. */
export const NOT_YET: Exception[] = [
  {
    text: 'from svc_api_key k join workspace w on w.id = k.workspace_id',
    why: 'a key does not say its workspace',
  },
  { text: 'from svc_session s left join svc_api_key k', why: 'a session does not say its workspace' },
  {
    text: 'select w.id, w.slug, w.name, w.features, u.id as user_id',
    why: 'users are found with their workspace',
  },
  { text: 'join svc_email e on e.provider_id =', why: 'a notice does not say its workspace' },
  { text: 'n."workspaceId" and e.public_id =', why: 'notices of several workspaces are looked up at once' },
  {
    text: 'cross join workspace w join svc_email e',
    why: 'emails of before their headers said the workspace',
  },
];
