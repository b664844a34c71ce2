import type { Static } from '../../platform/schema/index.js'
import { isUrl } from '../../platform/words/index.js'
import type { FailingJob, FailingService } from './operations.queries.js'
import type { OperatedPerson, ServerView } from './operations.schemas.js'
import type { PersonRow } from './people.queries.js'

type View = Static<typeof ServerView>

export const jobView = (job: FailingJob): View['jobs']['failing'][number] => ({
  task: job.task,
  attempts: job.attempts,
  most_attempts: job.mostAttempts,
  last_error: job.lastError,
  next_try_at: job.nextTryAt?.toISOString() ?? null,
  created_at: job.createdAt.toISOString(),
})

/** Of an address only its server: what stands behind it may be a key. */
const serverOf = (address: string): string => (isUrl(address) ? new URL(address).host : '')

export const serviceView = (service: FailingService): View['failing_services'][number] => ({
  id: service.id,
  name: service.kind,
  server: serverOf(service.serviceUrl),
  form_id: service.formId,
  form: service.form,
  owner: service.owner,
  active: service.isActive,
  reason: service.reason,
  failures: service.failures,
  failing_since: service.failingSince?.toISOString() ?? null,
})

export const personView = (person: PersonRow): Static<typeof OperatedPerson> => ({
  id: person.id,
  username: person.username,
  name: `${person.firstName} ${person.lastName}`.trim(),
  email: person.email ?? '',
  is_active: person.isActive,
  is_operator: person.isOperator,
  joined_at: person.joinedAt.toISOString(),
  last_sign_in_at: person.lastSignInAt?.toISOString() ?? null,
})
