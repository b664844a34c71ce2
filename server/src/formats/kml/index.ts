export { kmlEnd, kmlStart, placemarkOf } from './placemarks.js'
