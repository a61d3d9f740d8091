// Roem typed by single keys: 2 is 20, 5 is 50, a club's letter is what the club says; a number that
// is typed in full is that number.

const WHOLE = ["20", "40", "50", "70", "100", "200"];

export class RoemTyping {
  // `keys` gives by key what it adds; `raw` are the digits of the number that is being typed.
  constructor(keys) {
    this.keys = keys;
    this.raw = "";
    this.whole = [...WHOLE, ...Object.values(keys).map(String)];
  }

  // The text of the box after this key.
  after(text, key) {
    const numbers = text.split(/[\s+,]+/).filter(Boolean);
    if (/\d/.test(key)) this.#digit(numbers, key);
    else if (key in this.keys) this.#add(numbers, this.keys[key], "");
    else this.raw = "";
    return numbers.join(" ");
  }

  // The text without its last number.
  without(text) {
    this.raw = "";
    return text.split(/\s+/).filter(Boolean).slice(0, -1).join(" ");
  }

  #digit(numbers, digit) {
    const longer = this.raw + digit;
    const isKnown = this.whole.some((number) => number.startsWith(longer));
    const isUnknown = this.raw && !this.whole.some((number) => number.startsWith(this.raw));
    if (this.raw && (isKnown || isUnknown)) {
      this.raw = longer;
      if (isUnknown || this.whole.includes(longer)) numbers.splice(-1, 1, longer);
    } else this.#add(numbers, this.keys[digit] ?? digit, digit);
  }

  #add(numbers, worth, raw) {
    numbers.push(String(worth));
    this.raw = raw;
  }
}
