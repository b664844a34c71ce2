// Who may do what with a project: every role, every action, over HTTP. The table is the specification's (accounts.md
// 6.12), one line per action; a reader can check it against that.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject, share } from '../../../test/support/projects.js'

const app = testApp()
let owner: Account
let other: Account

const below = [
  'readonly-no-download',
  'readonly',
  'dataentry-only',
  'dataentry-minor',
  'dataentry',
  'editor-minor',
  'editor',
]
const callers = ['anonymous', 'stranger', ...below, 'manager', 'owner'] as const

const people = new Map<string, Account>()

beforeAll(async () => {
  owner = await app.account()
  other = await app.account()
  for (const caller of callers) people.set(caller, await app.account())
})

interface Action {
  name: string
  call: (pk: number) => ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, object?]
  /** anonymous, stranger, everybody below manager, manager, owner: on a private project. */
  private: [number, number, number, number, number]
  /** The same on a public one. */
  public: [number, number, number, number, number]
}

let turn = 0
const unique = () => `u${++turn}`

const actions: Action[] = [
  {
    name: 'see it',
    call: (pk) => ['GET', `/projects/${pk}`],
    private: [401, 404, 200, 200, 200],
    public: [200, 200, 200, 200, 200],
  },
  {
    name: 'see its labels',
    call: (pk) => ['GET', `/projects/${pk}/labels`],
    private: [401, 404, 200, 200, 200],
    public: [200, 200, 200, 200, 200],
  },
  {
    name: 'see its stars',
    call: (pk) => ['GET', `/projects/${pk}/star`],
    private: [401, 404, 200, 200, 200],
    public: [200, 200, 200, 200, 200],
  },
  {
    name: 'star it',
    call: (pk) => ['POST', `/projects/${pk}/star`],
    private: [401, 404, 204, 204, 204],
    public: [401, 204, 204, 204, 204],
  },
  {
    name: 'remove the star',
    call: (pk) => ['DELETE', `/projects/${pk}/star`],
    private: [401, 404, 204, 204, 204],
    public: [401, 204, 204, 204, 204],
  },
  {
    name: 'change it',
    call: (pk) => ['PATCH', `/projects/${pk}`, { metadata: { a: 1 } }],
    private: [401, 404, 403, 200, 200],
    public: [401, 403, 403, 200, 200],
  },
  {
    name: 'label it',
    call: (pk) => ['POST', `/projects/${pk}/labels`, { tags: 'a' }],
    private: [401, 404, 403, 201, 201],
    public: [401, 403, 403, 201, 201],
  },
  {
    name: 'remove a label',
    call: (pk) => ['DELETE', `/projects/${pk}/labels/a`],
    private: [401, 404, 403, 200, 200],
    public: [401, 403, 403, 200, 200],
  },
  {
    name: 'share it',
    call: (pk) => ['PUT', `/projects/${pk}/share`, { username: other.username, role: 'readonly' }],
    private: [401, 404, 403, 204, 204],
    public: [401, 403, 403, 204, 204],
  },
  {
    name: 'ask why somebody sees it',
    call: (pk) => ['GET', `/projects/${pk}/access?user=${other.username}`],
    private: [401, 404, 403, 200, 200],
    public: [401, 403, 403, 200, 200],
  },
  {
    name: 'list invitations',
    call: (pk) => ['GET', `/projects/${pk}/invitations`],
    private: [401, 404, 403, 200, 200],
    public: [401, 403, 403, 200, 200],
  },
  {
    name: 'invite',
    call: (pk) => ['POST', `/projects/${pk}/invitations`, { email: `${unique()}@example.org`, role: 'editor' }],
    private: [401, 404, 403, 201, 201],
    public: [401, 403, 403, 201, 201],
  },
  {
    name: 'resend an invitation',
    call: (pk) => ['POST', `/projects/${pk}/resend-invitation`, { invitation_id: 2_000_000_000 }],
    private: [401, 404, 403, 400, 400],
    public: [401, 403, 403, 400, 400],
  },
  {
    name: 'make somebody owner',
    call: (pk) => ['PUT', `/projects/${pk}/share`, { username: other.username, role: 'owner' }],
    private: [401, 404, 403, 400, 204],
    public: [401, 403, 403, 400, 204],
  },
  {
    name: 'delete it',
    call: (pk) => ['DELETE', `/projects/${pk}`],
    private: [401, 404, 403, 403, 204],
    public: [401, 403, 403, 403, 204],
  },
]

/** Each caller on a project of their own, so that no action spoils the next. */
const statusFor = async (caller: (typeof callers)[number], action: Action, isPublic: boolean): Promise<number> => {
  const pk = await newProject(app, owner, { public: isPublic })
  const [method, path, body] = action.call(pk)
  const options = body === undefined ? {} : { body }
  if (caller === 'anonymous') return (await app.call(method, path, options)).statusCode
  const account = people.get(caller) as Account
  if (caller !== 'stranger') await share(app, owner, pk, account.username, caller)
  return (await app.as(account)(method, path, options)).statusCode
}

describe.each([false, true])('a project with public=%s', (isPublic) => {
  for (const action of actions) {
    it(`${action.name}: the statuses of the table for every role`, async () => {
      const [anonymous, stranger, lower, manager, owning] = isPublic ? action.public : action.private
      const lowerOnes = Object.fromEntries(below.map((role) => [role, lower]))
      const seen: Record<string, number> = {}
      for (const caller of callers) seen[caller] = await statusFor(caller, action, isPublic)
      expect(seen).toEqual({ anonymous, stranger, ...lowerOnes, manager, owner: owning })
    })
  }
})
