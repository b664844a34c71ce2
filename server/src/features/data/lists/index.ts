// Records as lists, one renderer for each format: JSON, XML, GeoJSON, KML and flow results.
export { flowResultsOf, sendFlowResults } from './flow-results.js'
export { featureOptions, placesOf, sendGeojson } from './geojson.js'
export { sendJson } from './json.js'
export { kmlOf, placeOfKml } from './kml.js'
export { unknownFormat } from './lists.errors.js'
export { ListParams, RecordsView, RecordView } from './lists.schemas.js'
export { sendXml } from './xml.js'
