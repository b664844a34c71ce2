// /example: a filled project, for whoever has just come. It is made here, in one call, because only the server can date records
// back, and a bad line would take minutes for some hundred records with photos.
import { budgets } from '../../budgets.js'
import { fairGate } from '../../platform/concurrency/index.js'
import type { Room } from '../../platform/deps.js'
import { errors } from '../../platform/http/index.js'
import type { Compilers } from '../forms/index.js'
import type { Submissions } from '../submissions/index.js'
import { ExampleView } from './example.schemas.js'
import { exampleRecords, makeExample } from './example.service.js'

export const example =
  (compilers: Compilers, submissions: Submissions): Room =>
  async (app, deps) => {
    const inLine = fairGate(budgets.queues.examples)

    app.post(
      '/example',
      {
        config: { operation: 'example.make', access: 'user' },
        schema: {
          summary: 'Make an example project',
          description:
            'A household survey with groups, a repeat, photos, places and some hundred records of the past weeks, reviewed and labelled, under the caller’s own account. 200 when it is there already; whatever is missing of it, because a call was cut off, is made then.',
          tags: ['example'],
          response: { 200: ExampleView, 201: ExampleView, ...errors(401, 503) },
        },
      },
      async ({ caller, origin }, reply) => {
        const made = await inLine(String(caller.id), () => makeExample(deps, compilers, submissions, caller))
        const { projectId, formId, isNew } = made
        return reply.code(isNew ? 201 : 200).send({
          project: `${origin}/api/v1/projects/${projectId}`,
          projectid: projectId,
          form: `${origin}/api/v1/forms/${formId}`,
          formid: formId,
          records: exampleRecords,
        })
      },
    )
  }
