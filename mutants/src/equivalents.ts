// Changes that no test can find, because the program does the same with them; each with its reason.
import { basename } from 'node:path'
import type { Mutant } from './mutant.js'

export interface Equivalent {
  readonly file: string
  readonly before: string
  readonly after: string
  /** A part of its line, where the same change is offered elsewhere in the file too. */
  readonly on?: string
  readonly why: string
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'outbound.ts',
    before: 'length < keepBytes',
    after: 'length <= keepBytes',
    why: 'What is added then is an empty piece.',
  },
  {
    file: 'outbound.ts',
    before: 'true',
    after: 'false',
    on: '{ once: true }',
    why: 'The end of every call takes the listener away.',
  },
  {
    file: 'digest-login.ts',
    before: 'login',
    after: 'false',
    on: 'login ? login.lockedUntil',
    why: 'The same row by a statement of its own.',
  },
  {
    file: 'digest-login.ts',
    before: 'login === undefined || !isAnswered',
    after: '!isAnswered',
    why: 'Nothing is right where there is no account.',
  },
  {
    file: 'password-login.ts',
    before: 'login.hash !== null && login.mayLogIn',
    after: 'login.mayLogIn',
    why: 'Of an account without a password nothing is remembered.',
  },
  {
    file: 'still-signed-in.queries.ts',
    before: 'not users.is_org',
    after: 'true',
    why: 'An account does not become an organization, and an organization is never let in.',
  },
  {
    file: 'names.ts',
    before: "process.platform === 'win32'",
    after: 'false',
    why: 'The same on every system but Windows.',
  },
  {
    file: 'change-record.ts',
    before: 'record.uuid === before.uuid',
    after: 'false',
    why: 'Of the same record the same is prepared once more.',
  },
  {
    file: 'send.ts',
    before: 'confirm && { confirm }',
    after: '{ confirm }',
    why: 'Left out or undefined, nothing is asked.',
  },
  {
    file: 'sender.ts',
    before: 'false',
    after: 'true',
    on: 'let hasRung = false',
    why: 'It is put back before it is first waited for.',
  },
  {
    file: 'verdict.ts',
    before: 'status !== undefined && status >= 200',
    after: 'status >= 200',
    why: 'Nothing is not above a number.',
  },
  {
    file: 'verdict.ts',
    before: 'error instanceof OutboundFailed',
    after: 'true',
    why: 'No other error that comes here has a status.',
  },
  {
    file: 'authorization.ts',
    before: "person === undefined || answer !== 'allow'",
    after: "answer !== 'allow'",
    why: 'Nobody has answered before they are known.',
  },
  {
    file: 'adapter.ts',
    before: 'found.consumedAt === null',
    after: 'true',
    why: 'A second use is refused when it is consumed.',
  },
  {
    file: 'provider.ts',
    before: 'prompts.length === 0',
    after: 'false',
    why: 'An empty prompt is none.',
  },
  {
    file: 'provider.ts',
    before: "ownTokensOnly(ctx, client, token) && 'accountId' in token",
    after: 'ownTokensOnly(ctx, client, token)',
    why: 'Every token is of a person.',
  },
  {
    file: 'tokens.queries.ts',
    before: "${key.kind} = 'RefreshToken'",
    after: 'true',
    why: 'When a code is used, nothing has been issued on its grant.',
  },
  {
    file: 'metadata.queries.ts',
    before: 'metadata.form_id = ${formId}',
    after: 'true',
    on: 'metadata.submission_id',
    why: 'No two records have one id. It leads Citus to one machine.',
  },
  {
    file: 'named-files.ts',
    before: 'known.set(model, names)',
    after: 'undefined',
    why: 'They are looked for once more.',
  },
  {
    file: 'kept-on-records.queries.ts',
    before: 'exists (select from chosen)',
    after: 'true',
    why: 'The first record that is chosen asks for the number, if there is any.',
  },
  {
    file: 'files.routes.ts',
    before: 'number === undefined',
    after: 'false',
    on: 'throw absent()',
    why: 'Nothing is found by no number either.',
  },
  {
    file: 'turns.ts',
    before: 'now - this.#lapsedAt < lapsedMilliseconds',
    after: 'now - this.#lapsedAt <= lapsedMilliseconds',
    why: 'It is asked again a moment later, by a clock that does not come to the same moment.',
  },
  {
    file: 'collecting.queries.ts',
    before: "role = any(${projectRolesThatMay('view')}::text[])",
    after: 'true',
    why: 'Nobody is given `member` of a project, the one role that does not see it.',
  },
  {
    file: 'publish.ts',
    before: "brokenConstraint(error) !== 'forms__owner_id_id_key' || tries === mostTries",
    after: 'tries === mostTries',
    why: 'Tried again it fails again, and is thrown the last time.',
  },
  {
    file: 'replace.ts',
    before: '!isLater(error) || tries === mostTries',
    after: 'tries === mostTries',
    why: 'Tried again it fails again, and is thrown the last time.',
  },
  {
    file: 'definition.ts',
    before: 'error instanceof XlsFormError',
    after: 'true',
    why: 'Without problems to tell, a fault of ours comes of it all the same.',
  },
  {
    file: 'model-text.ts',
    before: 'end !== -1 && this.#isEscaped(end)',
    after: 'this.#isEscaped(end)',
    why: 'Before the first character nothing is escaped.',
  },
  {
    file: 'streams.ts',
    before: 'true',
    after: 'false',
    on: 'done: true, value: undefined',
    why: 'Whoever gives a stream up does not read what is answered to that.',
  },
  {
    file: 'deletion.queries.ts',
    before: 'order by id',
    after: '',
    on: 'select id from found order by id',
    why: 'What is read here was put down in this order.',
  },
  {
    file: 'slices.queries.ts',
    before: 'order by place',
    after: '',
    why: 'They were numbered in this order, and are read as they were numbered.',
  },
  {
    file: 'parts.ts',
    before: 'repeats.slice(0, 1)',
    after: 'repeats',
    why: 'A repeat within a repeat has no key of its own among the answers.',
  },
  {
    file: 'matches.queries.ts',
    before: '>',
    after: '>=',
    on: 'change_no > 0',
    why: 'As long as there was no change there is no record to count.',
  },
  {
    file: 'receiving.ts',
    before: "formerId === derived.uuid || device?.key?.kind === 'link'",
    after: "device?.key?.kind === 'link'",
    why: 'What claims its own id lets go of it before it is stored.',
  },
  {
    file: 'receive.queries.ts',
    before: 'premise && numbers.get(premise)',
    after: 'numbers.get(premise)',
    why: 'What has no premise has no number among them.',
  },
  {
    file: 'received-files.queries.ts',
    before: 'order by files.id',
    after: '',
    why: 'They come as they were put in, and were given their ids in that order.',
  },
  {
    file: 'archives.ts',
    before: 'false',
    after: 'true',
    on: 'Readable.from(inPieces(content())',
    why: 'The same pieces; only how many wait for the packer is counted in another way.',
  },
  {
    file: 'choice-words.ts',
    before: 'words < wordsAtOnce',
    after: 'false',
    why: 'Others get their turn more often.',
  },
  {
    file: 'receiving.ts',
    before: 'isNothing',
    after: 'false',
    why: 'Where there is no record, or no file, none is found to be missing.',
  },
  {
    file: 'json.ts',
    before: '250',
    after: '251',
    on: 'const shortList',
    why: 'The same text, as a whole or in pieces.',
  },
  {
    file: 'extents.queries.ts',
    before: 'shape.repeats.filter(({ repeats }) => repeats.length === 0)',
    after: 'shape.repeats',
    why: 'Those that stand in no other come first; what is counted for the rest is not read.',
  },
  {
    file: 'submit.ts',
    before: 'time <= now',
    after: 'time < now',
    why: 'It is taken at this very moment either way.',
  },
]

export const isEquivalent = ({ file, before, after, lineText }: Omit<Mutant, 'id'>): boolean =>
  equivalents.some(
    (one) =>
      one.file === basename(file) &&
      one.before === before &&
      one.after === after &&
      (one.on === undefined || lineText.includes(one.on)),
  )
