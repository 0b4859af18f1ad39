# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""Units of time, measures and money: how five languages write them, and how they convert."""

from __future__ import annotations


def _by_word(table: dict[str, str]) -> dict[str, str]:
    return {word: meant for meant, words in table.items() for word in words.split()}


DURATIONS = _by_word(
    {
        "second": "second seconds sec secs sekunde sekunden sek seconde secondes secondo secondi segundo segundos",
        "minute": "minute minutes min mins minuten minuto minuti minutos minütig",
        "hour": "hour hours hr hrs h stunde stunden std heure heures ora ore hora horas stündig stündige",
        "day": "day days tag tage tagen jour jours journée journées giorno giorni dia dias día días tägig tägige",
        "week": "week weeks woche wochen semaine semaines settimana settimane semana semanas wöchig wöchige",
        "month": "month months monat monate monaten mois mese mesi mes meses monatig monatige",
        "year": "year years yr yrs yo jahr jahre jahren an ans année années anno anni ano anos año años jährig jährige "
        "jähriger jähriges jährigen",
    }
)
MEASURES = _by_word(
    {
        "km": "km kms kilometer kilometers kilometre kilometres kilometern kilomètre kilomètres chilometro chilometri "
        "kilómetro kilómetros kilometro kilometros",
        "mi": "mi mile miles meile meilen mille milles miglio miglia milla millas",
        "m": "m meter meters metre metres metern mètre mètres metro metri metros",
        "cm": "cm centimeter centimeters centimetre centimetres zentimeter zentimetern centimètre centimètres "
        "centimetro centimetri centímetro centímetros",
        "mm": "mm millimeter millimeters millimetre millimetres millimetern millimètre millimètres millimetro millimetri "
        "milímetro milímetros",
        "ft": "ft foot feet fuss fuß pied pieds piede piedi pie pies",
        "in": "inch inches zoll pouce pouces pollice pollici pulgada pulgadas",
        "kg": "kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes chilo chili chilogrammo chilogrammi "
        "kilogramo kilogramos",
        "g": "g gram grams gramm gramme grammes grammo grammi gramo gramos",
        "lb": "lb lbs",
        "t": "t ton tons tonne tonnes tonnen tonnellata tonnellate tonelada toneladas",
        "l": "l liter liters litre litres litern litro litri litros",
        "ml": "ml milliliter millilitre milliliters millilitres millilitro millilitri mililitro mililitros",
        "km/h": "km/h kmh kph stundenkilometer",
        "mph": "mph",
        "m/s": "m/s",
        "kn": "kn knots knoten",
        "°C": "°c celsius",
        "°F": "°f fahrenheit",
        "hPa": "hpa mbar",
        "GB": "gb gigabyte gigabytes",
        "MB": "mb megabyte megabytes",
        "TB": "tb terabyte terabytes",
        "kWh": "kwh kilowattstunden",
        "x": "x",
        "rps": "rps",
    }
)
CURRENCIES = _by_word(
    {
        "CHF": "chf fr sfr frs fr franken francs franc franchi franco francos",
        "EUR": "€ eur euro euros",
        "USD": "$ usd us$ dollar dollars dollari dollaro dólar dólares dolar dolares",
        "GBP": "£ gbp sterling sterline sterlina pfund",
        "JPY": "¥ jpy yen",
        "INR": "₹ inr rupees rupien",
        "SEK": "sek kronor", "NOK": "nok", "DKK": "dkk", "CAD": "cad ca$ c$", "AUD": "aud au$ a$", "PLN": "pln zł zloty",
        "CZK": "czk kč", "CNY": "cny rmb yuan", "HUF": "huf", "RON": "ron", "TRY": "try ₺", "BRL": "brl r$ reais",
        "MXN": "mxn pesos", "PEN": "soles", "SGD": "sgd", "HKD": "hkd", "NZD": "nzd", "ZAR": "zar", "ILS": "ils ₪", "KRW": "krw ₩",
    }
)  # fmt: skip
PERCENTS = frozenset(["%", "percent", "prozent", "pourcent", "percento", "pct", "prozentpunkte", "prozentpunkten"])
PERCENT_PHRASES = frozenset([("per", "cent"), ("pour", "cent"), ("per", "cento"), ("por", "ciento"), ("por", "cien")])
HALVES = frozenset(["half", "demi", "demie", "mezzo", "mezza", "media", "medio"])

SIZES: dict[str, tuple[str, float]] = {
    "second": ("time", 1), "minute": ("time", 60), "hour": ("time", 3600), "day": ("time", 86_400),
    "week": ("time", 604_800), "month": ("months", 1), "year": ("months", 12),
    "km": ("length", 1000), "mi": ("length", 1609.344), "m": ("length", 1), "cm": ("length", 0.01),
    "mm": ("length", 0.001), "ft": ("length", 0.3048), "in": ("length", 0.0254),
    "kg": ("mass", 1000), "g": ("mass", 1), "lb": ("mass", 453.59237), "t": ("mass", 1_000_000),
    "l": ("volume", 1), "ml": ("volume", 0.001), "MB": ("bytes", 1), "GB": ("bytes", 1000), "TB": ("bytes", 1_000_000),
    "km/h": ("speed", 1), "mph": ("speed", 1.609344), "m/s": ("speed", 3.6), "kn": ("speed", 1.852),
}  # fmt: skip
"""Each unit's dimension and its size in that dimension's smallest whole unit. Months are no number of days."""


def converted(number: float, unit: str, into: str) -> float | None:
    """The number in another unit; None where the two measure different things."""
    if (unit, into) == ("°C", "°F"):
        return number * 9 / 5 + 32
    if (unit, into) == ("°F", "°C"):
        return (number - 32) * 5 / 9
    one, other = SIZES.get(unit), SIZES.get(into)
    if one is None or other is None or one[0] != other[0]:
        return None
    return number * one[1] / other[1]
