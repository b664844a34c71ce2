import './engine-globals.js'

import { type AnyNode, createInstance, type RootNode } from '@getodk/xforms-engine'

const csv =
  'name,label,geometry,region,price,code,__version,__trunkVersion,__branchId\na,Apple,0 0 0 0,north,5,A1,1,,\nb,Bean,1 1 0 0,south,7,B2,1,,\n'
const xml = '<root><item><name>a</name><label>Apple</label></item><item><name>b</name><label>Bean</label></item></root>'
const geojson = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 'f1',
      geometry: { type: 'Point', coordinates: [1, 2] },
      properties: { id: 'f1', title: 'One' },
    },
  ],
})

/** Stands in for the files that come with a form. */
const fetchFormAttachment = async (resource: URL): Promise<Response> => {
  const { href } = resource
  const answer = (body: string, type: string): Response => new Response(body, { headers: { 'content-type': type } })
  if (href.endsWith('.csv')) return answer(csv, 'text/csv')
  if (href.endsWith('.xml')) return answer(xml, 'text/xml')
  if (href.endsWith('.geojson')) return answer(geojson, 'application/geo+json')
  return new Response('', { status: 404 })
}

const values: Record<string, string> = {
  string: 'abc',
  int: '7',
  decimal: '2.5',
  date: '2024-05-06',
  time: '10:30:00.000Z',
  dateTime: '2024-05-06T10:30:00.000Z',
  geopoint: '1.5 2.5 0 0',
  geotrace: '1 2 0 0;3 4 0 0',
  geoshape: '1 2 0 0;3 4 0 0;5 6 0 0;1 2 0 0',
  barcode: '4006381333931',
}

/** Loads a form in the engine that fills forms in browsers. */
export const openForm = async (xform: string): Promise<RootNode> => {
  const { root } = await createInstance(xform, {
    form: { fetchFormAttachment, missingResourceBehavior: 'BLANK' },
    instance: {
      preloadProperties: { deviceID: 'device', email: 'a@example.org', username: 'ana', phoneNumber: '123' },
      geolocationProvider: { getLocation: async () => '1 2 0 0' },
    },
  })
  return root
}

/** Answers every question that can be answered, in every repeat instance, and counts the answers. */
export const fillNode = (node: AnyNode): number => {
  // Both are handed down to what is inside.
  if (!node.currentState.relevant || node.currentState.readonly) return 0
  switch (node.nodeType) {
    case 'repeat-range:uncontrolled':
      if (node.currentState.children.length < 2) node.addInstances()
      break
    case 'input': {
      const control = node as { setValue(value: string): unknown }
      control.setValue(values[node.valueType] ?? 'x')
      return 1
    }
    case 'select': {
      const [first] = node.currentState.valueOptions
      if (first === undefined) return 0
      node.selectValues([first.value])
      return 1
    }
    case 'rank':
      node.setValues(node.currentState.valueOptions.map((option: { value: string }) => option.value))
      return 1
    case 'range': {
      const control = node as { setValue(value: string): unknown }
      control.setValue(String(node.definition.bounds.end))
      return 1
    }
    case 'trigger':
      node.setValue(true)
      return 1
    case 'upload':
      node.setValue(new File(['x'], 'answer.bin', { type: 'application/octet-stream' }))
      return 1
  }
  const children = (node.currentState.children ?? []) as readonly AnyNode[]
  return children.reduce((sum, child) => sum + fillNode(child), 0)
}

export const serialise = async (root: RootNode): Promise<string> => {
  const payload = await root.prepareInstancePayload({ payloadType: 'monolithic' })
  const file = payload.data[0].get('xml_submission_file') as Blob
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsText(file)
  })
}
