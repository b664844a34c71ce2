// Forms and widgets as the tests of this room need them.

import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import { newProject } from './projects.js'
import { type FormFields, putForm, putRecords, type RecordFields, type TestForm } from './records.js'

export const survey = `
| survey  |
|         | type                   | name   | label        |
|         | text                   | name   | Name         |
|         | integer                | age    | Age          |
|         | select_one sex         | sex    | Sex          |
|         | select_multiple fruits | fruits | Fruits       |
|         | begin group            | visit  | Visit        |
|         | date                   | day    | Day          |
|         | decimal                | height | Height       |
|         | end group              |        |              |
|         | begin repeat           | kids   | Children     |
|         | text                   | kname  | Child        |
|         | integer                | kage   | Age of child |
|         | end repeat             |        |              |
|         | note                   | thanks | Thank you    |
| choices |
|         | list_name | name  | label  |
|         | sex       | f     | Female |
|         | sex       | m     | Male   |
|         | fruits    | apple | Apple  |
|         | fruits    | fig   | Fig    |
`

export interface WidgetBody {
  id: number
  key: string
  url: string
  order: number
  data: Record<string, unknown>[]
  [field: string]: unknown
}

/** One account, one form, and the calls that tests make of them. */
export class Board {
  readonly app: TestApp
  readonly owner: Account
  readonly projectId: number
  readonly form: TestForm

  private constructor(app: TestApp, owner: Account, projectId: number, form: TestForm) {
    this.app = app
    this.owner = owner
    this.projectId = projectId
    this.form = form
  }

  static async open(app: TestApp, fields: Partial<FormFields> = {}): Promise<Board> {
    const owner = await app.account()
    const projectId = await newProject(app, owner)
    const form = await putForm(app.deps.db, { ownerId: owner.id, projectId, versions: [survey], ...fields })
    return new Board(app, owner, projectId, form)
  }

  /** Another form of the same owner. */
  async beside(fields: Partial<FormFields> = {}): Promise<Board> {
    const { app, owner, projectId } = this
    const form = await putForm(app.deps.db, { ownerId: owner.id, projectId, versions: [survey], ...fields })
    return new Board(app, owner, projectId, form)
  }

  get address(): string {
    return `http://localhost:80/api/v1/forms/${this.form.id}`
  }

  body(fields: object = {}): object {
    return { content_object: this.address, view_type: 'horizontal-bar', column: 'age', ...fields }
  }

  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object, by: Account = this.owner) {
    return this.app.as(by)(method, path, body === undefined ? {} : { body })
  }

  post(fields: object = {}, by?: Account) {
    return this.call('POST', '/widgets', this.body(fields), by)
  }

  async add(fields: object = {}): Promise<WidgetBody> {
    const response = await this.post(fields)
    if (response.statusCode !== 201) throw new Error(`The widget was not made: ${response.body}`)
    return response.json()
  }

  patch(id: number, body: object, by?: Account) {
    return this.call('PATCH', `/widgets/${id}`, body, by)
  }

  get(id: number, query = '', by?: Account) {
    return this.call('GET', `/widgets/${id}${query}`, undefined, by)
  }

  async list(query = `?xform=${this.form.id}`, by?: Account): Promise<WidgetBody[]> {
    const response = await this.call('GET', `/widgets${query}`, undefined, by)
    if (response.statusCode !== 200) throw new Error(`The list answered ${response.statusCode}: ${response.body}`)
    return response.json()
  }

  /** Titles in their order, after a look at the order itself: 0, 1, 2 … */
  async titles(query?: string): Promise<unknown[]> {
    const widgets = await this.list(query)
    const orders = widgets.map(({ order }) => order)
    if (orders.some((order, place) => order !== place)) throw new Error(`The order is ${orders.join()}`)
    return widgets.map(({ title }) => title)
  }

  async data(id: number, by?: Account): Promise<Record<string, unknown>[]> {
    return (await this.get(id, '?data=true', by)).json().data
  }

  put(...records: RecordFields[]): Promise<number[]> {
    return putRecords(this.app.deps.db, this.form.id, records)
  }

  /** A new account with a role on the form alone. */
  async person(role: string): Promise<Account> {
    const account = await this.app.account()
    await this.app.deps.db.run(sql`
      insert into form_roles (form_id, user_id, role, created_at)
      values (${this.form.id}, ${account.id}, ${role}, now())`)
    return account
  }

  async setForm(changes: { isPublic?: boolean; isDataPublic?: boolean; isDeleted?: boolean }): Promise<void> {
    const { isPublic = false, isDataPublic = false, isDeleted = false } = changes
    await this.app.deps.db.run(sql`
      update forms set is_public = ${isPublic}, is_data_public = ${isDataPublic},
        deleted_at = case when ${isDeleted} then now() end
      where id = ${this.form.id}`)
  }
}
