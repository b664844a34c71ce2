// Keeps one form while it is filled in: saved soon after every change, at most once a second, at once when the page is left. It has
// the draft for itself; another tab may take it over.
import { hiddenIn, isSameBlob } from './answers'
import { isFull } from './database'
import { nextRevision, Overtaken, picturesOf, write } from './filled'
import { lastWords } from './last-words'
import type { Held } from './locks'
import { named, newInstanceId, withMeta } from './meta'
import { onNews, tellChanged } from './news'
import type { Answers, Filled, KeptForm, Picture, Typed } from './types'

export type KeeperState =
  | { readonly kind: 'clean' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  /** Not kept, because the disk is full or for another reason: the answers can be downloaded. */
  | { readonly kind: 'full' | 'failed'; readonly answers: Answers }
  /** Another tab has it now; `answers` are of this one and not in it. */
  | { readonly kind: 'taken'; readonly answers?: Answers }

export interface Change {
  /** The answers of the moment when it is called. */
  take(): Promise<Answers>
  /** What is typed in this moment, without waiting: all that can be saved while a page is torn down. */
  peek?(): Typed
  readonly language?: string
}

/** The first word is safe within a third of a second; after that once a second is enough. */
const soonMilliseconds = 300
const leastMilliseconds = 1000

/** What is known of a draft before anything was answered. */
export type Begun = Pick<Filled, 'id' | 'whose' | 'page' | 'deprecatedId' | 'keptFiles'> & { readonly form: KeptForm }

const firstRow = ({ form, ...begun }: Begun): Filled => ({
  ...begun,
  door: form.door,
  formId: form.formId,
  formKey: form.id,
  title: form.title,
  name: '',
  // Not the one in the XML: a form may have a fixed one, and all but its first record would be taken for repetitions.
  instanceId: newInstanceId(),
  xml: '',
  language: '',
  madeAt: Date.now(),
  changedAt: 0,
  state: 'draft',
  tries: 0,
  nextAt: 0,
  notBefore: 0,
  sentFiles: [],
  isUncertain: false,
})

export class Keeper {
  readonly id: string
  #draft: Filled | undefined
  /** Made once, also where it could not be kept: what is tried to be sent again has the same id. */
  #first: Filled
  readonly #held: Held
  #written = new Map<string, Blob>()
  #change: Change | undefined
  /** What is being written, or could not be. */
  #unsaved: Change | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** By a clock that nobody sets. */
  #savedAt = -leastMilliseconds
  /** One after the other. */
  #saving: Promise<void> = Promise.resolve()
  #isOver = false
  /** It was sent without being kept, and nobody knows whether it arrived. */
  #isUncertain = false
  /** It has an id of its own beside something that may have arrived. */
  #isAnother: boolean
  readonly #listeners = new Set<(state: KeeperState) => void>()
  readonly #stops: (() => void)[] = []
  state: KeeperState = { kind: 'clean' }

  constructor(of: ({ draft: Filled; isAnother: boolean } | { draft?: undefined; begun: Begun }) & { held: Held }) {
    this.#draft = of.draft
    this.#first = of.draft ?? firstRow(of.begun)
    this.#isAnother = of.draft !== undefined && of.isAnother
    this.#held = of.held
    this.id = this.#first.id
    void of.held.lost.then(() => this.#end({ kind: 'taken' }))
    this.#stops.push(
      onNews((news) => {
        if (news.kind === 'give' && news.id === this.id) void this.#give()
      }),
    )
    this.#listen('visibilitychange', () => {
      if (document.visibilityState === 'hidden') void this.flush()
    })
    this.#listen('pagehide', () => this.#leave())
  }

  #listen(name: 'visibilitychange' | 'pagehide', run: () => void): void {
    const at = name === 'pagehide' ? globalThis : document
    at.addEventListener(name, run)
    this.#stops.push(() => at.removeEventListener(name, run))
  }

  /** As it was stored last; undefined before anything was answered. */
  get draft(): Filled | undefined {
    return this.#draft
  }

  pictures(): Promise<Picture[]> {
    return this.#draft === undefined ? Promise.resolve([]) : picturesOf(this.#draft.id)
  }

  onState(listener: (state: KeeperState) => void): () => void {
    this.#listeners.add(listener)
    listener(this.state)
    return () => this.#listeners.delete(listener)
  }

  #become(state: KeeperState): void {
    this.state = state
    for (const hear of this.#listeners) hear(state)
  }

  /** Something was answered. */
  changed(change: Change): void {
    if (this.#isOver) return
    this.#change = change
    const wait = Math.max(soonMilliseconds, this.#savedAt + leastMilliseconds - performance.now())
    this.#timer ??= setTimeout(() => void this.flush(), wait)
  }

  /** Resolves when what was answered until now is kept, or its state says why not. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const change = this.#change
    this.#change = undefined
    if (change !== undefined) this.#saving = this.#saving.then(() => this.#save(change))
    return this.#saving
  }

  async #save(change: Change): Promise<void> {
    if (this.#isOver) return
    this.#unsaved = change
    this.#become({ kind: 'saving' })
    const answers = await change.take()
    if (this.#isOver) return
    try {
      await this.#write(answers, {
        state: 'draft',
        ...(change.language !== undefined && { language: change.language }),
      })
      this.#unsaved = undefined
      lastWords.forget(this.id)
      this.#become({ kind: 'saved', at: Date.now() })
    } catch (error) {
      this.#fail(error, answers)
    } finally {
      this.#savedAt = performance.now()
    }
  }

  async #write(answers: Answers, more: Partial<Filled>): Promise<Filled> {
    const row = this.#rowOf(answers, more)
    const known = new Set<string>()
    for (const { name, blob } of answers.files) {
      if (await isSameBlob(this.#written.get(name), blob)) known.add(name)
    }
    await write(row, answers.files, { known, isFinished: row.state !== 'draft' })
    for (const { name, blob } of answers.files) this.#written.set(name, blob)
    this.#draft = row
    tellChanged()
    return row
  }

  #rowOf(answers: Answers, more: Partial<Filled>): Filled {
    const known = this.#draft ?? this.#first
    const { reason: _, all: __, ...rest } = known
    return {
      ...rest,
      ...hiddenIn(answers),
      ...more,
      isUncertain: this.#isUncertain,
      revision: nextRevision(known),
      ...named(answers.xml, known),
      changedAt: Date.now(),
    }
  }

  /** Kept as finished, to be sent from there. Throws where it cannot be kept; `row` is what would have been. */
  async finish(answers: Answers): Promise<Filled> {
    await this.flush()
    const finished = { state: 'waiting', tries: 0, nextAt: 0, notBefore: 0 } as const
    try {
      const row = await this.#write(answers, finished)
      lastWords.forget(this.id)
      this.#end({ kind: 'saved', at: Date.now() })
      return row
    } catch (error) {
      this.#fail(error, answers)
      throw error
    }
  }

  /** What was typed is still on the screen: it is tried again with the next change, unless another tab has gone on. */
  #fail(error: unknown, answers: Answers): void {
    if (error instanceof Overtaken) this.#end({ kind: 'taken', answers })
    else this.#become({ kind: isFull(error) ? 'full' : 'failed', answers })
  }

  /** What would be sent, where it cannot be kept before. */
  unkept(answers: Answers): Filled {
    return this.#rowOf(answers, { state: 'waiting' })
  }

  /** What became of it when it was sent without being kept. */
  wasTried({ isUncertain }: Filled): void {
    this.#isUncertain = isUncertain
  }

  /** Whether it may have arrived. Changed under its one id it would be taken for a repetition, and the change be lost. */
  get mayHaveArrived(): boolean {
    return this.#isUncertain
  }

  /** Somebody changes what may have arrived: from now on it is another filled form. */
  becomeAnother(): void {
    const instanceId = newInstanceId()
    this.#first = { ...this.#first, instanceId }
    if (this.#draft !== undefined) this.#draft = { ...this.#draft, instanceId }
    this.#isUncertain = false
    this.#isAnother = true
  }

  get isAnother(): boolean {
    return this.#isAnother
  }

  /** The page goes. A transaction that began in this moment may not end; the text alone is kept without waiting. */
  #leave(): void {
    const typed = this.#typedNow()
    const row = this.#draft === undefined ? { row: this.#first } : {}
    if (typed !== undefined) lastWords.say({ id: this.id, ...typed, at: Date.now(), ...row })
    void this.flush()
  }

  /** Undefined where nothing has changed, or it cannot be written down. */
  #typedNow(): Typed | undefined {
    try {
      const typed = (this.#change ?? this.#unsaved)?.peek?.()
      return typed && { ...hiddenIn(typed), xml: withMeta(typed.xml, this.#draft ?? this.#first) }
    } catch {
      return undefined
    }
  }

  async #give(): Promise<void> {
    await this.flush()
    this.#end({ kind: 'taken' })
  }

  #end(state: KeeperState): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
    this.#held.release()
    this.#become(state)
  }

  /** It is on the server already: nothing more is to be kept. */
  drop(): void {
    this.#change = undefined
    lastWords.forget(this.id)
    this.#end({ kind: 'clean' })
  }

  /** The page of the form is left for another one. */
  async release(): Promise<void> {
    await this.flush()
    this.#end(this.state)
  }
}
