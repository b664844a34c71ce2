// The pages of a form, in the order of their tabs, and for whom each is.
import { type Form, may } from '@/api/forms'

export interface FormPage {
  /** A key of `texts/en/form-frame.ts`. */
  readonly name: 'overview' | 'data' | 'map' | 'charts' | 'dashboard' | 'media' | 'collect' | 'versions' | 'settings'
  /** After `/forms/{id}`. */
  readonly path: string
  /** Pages below it that are not below its address. */
  readonly also?: string
  /** Shows the records that the filter in the address leaves, so links to it carry the filter along. */
  readonly isOfRecords?: boolean
  readonly isFor: (form: Form, seesData: boolean) => boolean
}

const everybody = () => true
const readers = (_form: Form, seesData: boolean) => seesData

export const formPages: readonly FormPage[] = [
  { name: 'overview', path: '', isFor: everybody },
  { name: 'data', path: '/data', isOfRecords: true, isFor: readers },
  { name: 'map', path: '/map', isOfRecords: true, isFor: readers },
  { name: 'charts', path: '/charts', isOfRecords: true, isFor: readers },
  { name: 'dashboard', path: '/dashboard', isFor: readers },
  { name: 'media', path: '/media', isOfRecords: true, isFor: readers },
  { name: 'collect', path: '/collect', isFor: (form) => may(form, 'submit') || form.public },
  { name: 'versions', path: '/versions', isFor: (form) => may(form, 'view') },
  { name: 'settings', path: '/settings', also: '/services', isFor: (form) => may(form, 'change') },
]
