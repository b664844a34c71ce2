import { translation } from '../catalogue'
import type en from '../en/templates'

export default translation<typeof en>({
  'name-household': 'Encuesta de hogares',
  'about-household': 'Miembros, vivienda, agua, alimentación e ingresos, previo consentimiento.',
  'name-facility': 'Centro de salud',
  'about-facility': 'Horario, personal, servicios, existencias de medicamentos, electricidad y cadena de frío.',
  'name-prices': 'Precios de mercado',
  'about-prices': 'Precios por producto y unidad, calculados por kilogramo.',
  'name-water': 'Punto de agua',
  'about-water': 'Posición, estado, caudal, calidad y quién lo cuida.',
  'name-attendance': 'Asistencia a una formación',
  'about-attendance': 'Quién estuvo, con firmas, pruebas antes y después, y totales.',
  'name-registration': 'Registro de beneficiarios',
  'about-registration': 'Las personas y sus familias, con tarjeta, documentos y consentimiento.',
  'name-incident': 'Informe de incidente',
  'about-incident': 'Qué pasó, a quién y qué se hizo, con fotos.',
  'name-trees': 'Inventario de árboles',
  'about-trees': 'Una parcela y sus árboles: diámetro, altura y área basal.',
})
