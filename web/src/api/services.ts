// Rest services of a form: where its records are forwarded to, and what became of each delivery.
import { api, careful, got, gotWithHeaders, type Schemas } from './client'
import { errorOf } from './errors'

export type Service = Schemas['RestService']
export type Delivery = Schemas['Delivery']
export type Tried = Schemas['Test']
export type Kind = NonNullable<Schemas['PatchService']['name']>
export type ServiceFields = Schemas['PatchService']

export const kinds: readonly Kind[] = [
  'generic_json',
  'generic_xml',
  'health_info_sync',
  'dataset_sync',
  'flow_messaging',
  'sheet_sync',
]

const of = (serviceId: number) => ({ params: { path: { pk: serviceId } } })

export const servicesKey = (formId: number) => ['form', formId, 'services'] as const

export const listServices = (formId: number): Promise<Service[]> =>
  got(api.GET('/api/v1/restservices', { params: { query: { xform: formId } } }))

export const serviceKey = (formId: number, serviceId: number) => ['form', formId, 'services', serviceId] as const

export const getService = (serviceId: number): Promise<Service> =>
  got(api.GET('/api/v1/restservices/{pk}', of(serviceId)))

export const addService = (formId: number, fields: ServiceFields): Promise<Service> =>
  got(api.POST('/api/v1/restservices', { body: { ...fields, xform: formId } }))

export const changeService = (serviceId: number, fields: ServiceFields): Promise<Service> =>
  got(api.PATCH('/api/v1/restservices/{pk}', { ...of(serviceId), body: fields }))

export const deleteService = (serviceId: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/restservices/{pk}', of(serviceId)))

export const testService = (serviceId: number): Promise<Tried> =>
  got(api.POST('/api/v1/restservices/{pk}/test', { ...of(serviceId), body: {} }))

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[]
  readonly hasNext: boolean
}

const pageSize = 25

export const listDeliveries = async (serviceId: number, state: string, page: number): Promise<DeliveryPage> => {
  const query = { page: String(page), page_size: pageSize, ...(state !== '' && { state }) }
  const { data, headers } = await gotWithHeaders(
    api.GET('/api/v1/restservices/{pk}/deliveries', { params: { path: { pk: serviceId }, query: query as never } }),
  )
  return { deliveries: data, hasNext: /rel="next"/.test(headers.get('link') ?? '') }
}

export const retryDelivery = (serviceId: number, id: number): Promise<unknown> =>
  got(
    api.POST('/api/v1/restservices/{pk}/deliveries/{id}/retry', { params: { path: { pk: serviceId, id } }, body: {} }),
  )

export const replay = (serviceId: number, from: string, to: string): Promise<Schemas['Replay']> =>
  got(api.POST('/api/v1/restservices/{pk}/replay', { ...of(serviceId), body: { from, to } }))

/** Deliveries know records by number, pages by uuid. */
export const uuidOf = async (formId: number, recordId: number): Promise<string> => {
  const answer = await careful(`/api/v1/data/${formId}/${recordId}`)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return String((body as { _uuid?: unknown })._uuid ?? '')
}
