// A server with one form, whatever is sent to it, and every way to read it.
import { type Known, learn } from '../known.js'
import type { Context } from '../part.js'
import type { Caller, Request } from '../request.js'
import { make, register } from '../world/account.js'
import { formText } from '../world/form.js'
import { boundary, multipart, multipartType } from '../world/multipart.js'
import { publish, submit, type TenantForm } from '../world/tenant.js'

const flowResults = 'application/vnd.org.flowinterop.results+json'

export interface Ground {
  owner: Caller
  known: Known
  form: TenantForm
}

/** A server with one form, made again whenever somebody has got the former one stuck. */
export const newGround = async (context: Context, number: number): Promise<Ground> => {
  await context.start()
  const owner = await register(context, 'ana')
  const form = await newForm(context, owner, `g${number}`)
  await submit(context, owner, form, { name: 'usual' })
  return { owner, form, known: await learn(context, owner) }
}

export const newForm = (context: Context, owner: Caller, idString: string): Promise<TenantForm> =>
  publish(context, owner, undefined, idString, formText(idString, 'usual'))

export const anonymousPost = (form: TenantForm, xml: string, recipe?: string): Request => ({
  method: 'POST',
  path: '/ana/submission',
  headers: { 'content-type': multipartType, 'x-openrosa-version': '1.0' },
  body: multipart([{ name: 'xml_submission_file', filename: 'x.xml', type: 'text/xml', bytes: xml }]),
  recipe: `'--${boundary}\\r\\nContent-Disposition: form-data; name="xml_submission_file"; filename="x.xml"\\r\\n\\r\\n'+${recipe ?? JSON.stringify(xml.slice(0, 500))}+'\\r\\n--${boundary}--\\r\\n'`,
  before: [`# form ${form.idString}, published by ana`],
})

export const readsOf = ({ form }: Ground, caller: Caller): Request[] => {
  const get = (path: string, headers: Record<string, string> = {}): Request => ({
    method: 'GET',
    path,
    caller,
    headers,
  })
  const data = `/api/v1/data/${form.id}`
  return [
    get(data),
    get(`${data}?sort={"name":1}&query={"name":{"$i":"x"}}`),
    ...['csv', 'xlsx', 'xml', 'geojson', 'kml', 'csvzip'].map((ending) => get(`${data}.${ending}`)),
    get(data, { accept: flowResults }),
    get(`/api/v1/charts/${form.id}?fields=all&refresh=true`),
    get(`/api/v1/stats/${form.id}?refresh=true`),
  ]
}

export const emptyForm = async (context: Context, { owner, form }: Ground): Promise<void> => {
  await make(context, owner, `/data/${form.id}`, { delete_all: true }, 'DELETE')
}

export const placeOfRead = (request: Request | undefined): string =>
  `${request?.path.replace(/\/\d+/, '/{pk}').replace(/\?.*/, '')}${request?.headers?.accept === undefined ? '' : ' as flow results'}`
