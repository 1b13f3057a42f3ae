// What on a page is too faint, has no name, or is of an odd size?
(() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

  // Whatever the notation of a colour, a canvas knows its parts.
  function parsed(colour) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }

  function over(top, bottom) {
    const mixed = [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3]));
    return [...mixed, 1];
  }

  function behind(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(parsed(getComputedStyle(at).backgroundColor));
    }
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const paper = dark ? [0, 0, 0, 1] : [255, 255, 255, 1];
    return layers.reverse().reduce((below, layer) => over(layer, below), paper);
  }

  // In a drawing the ground may be a shape that was drawn before.
  function beneath(text) {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const holds = (box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    const shapes = [...text.ownerSVGElement.querySelectorAll("path, rect, circle")];
    const fills = shapes
      .filter((each) => text.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING)
      .filter((each) => holds(each.getBoundingClientRect()))
      .map((each) => getComputedStyle(each).fill)
      .filter((fill) => fill !== "none");
    return fills.reduce((below, fill) => over(parsed(fill), below), behind(text));
  }

  // Relative luminance and contrast ratio, as the Web Content Accessibility Guidelines define them.
  function luminance(colour) {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.slice(0, 3).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function contrast(a, b) {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  }

  function shown(element) {
    const how = { opacityProperty: true, visibilityProperty: true };
    const clipped = getComputedStyle(element).clipPath !== "none";
    return element.checkVisibility(how) && element.getClientRects().length > 0 && !clipped;
  }

  function written() {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      const spoken = !parentElement.closest("script, style, noscript");
      if (data.trim() && spoken && shown(parentElement)) found.push([parentElement, data.trim()]);
    }
    return found;
  }

  function faint() {
    const found = [];
    let looked = 0;
    const check = (element, colour, least, what) => {
      const ground = element.ownerSVGElement ? beneath(element) : behind(element);
      const ratio = contrast(over(parsed(colour), ground), ground);
      looked += 1;
      if (!(ratio >= least)) found.push(`${what}: ${ratio.toFixed(2)} instead of ${least}`);
    };
    for (const [element, text] of written()) {
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const colour = element instanceof SVGElement ? style.fill : style.color;
      check(element, colour, large ? 3 : 4.5, text.slice(0, 40));
    }
    for (const field of document.querySelectorAll("input[type=text], select")) {
      if (!shown(field)) continue;
      const style = getComputedStyle(field);
      check(field, style.color, 4.5, `${field.id}, its text`);
      if (field.placeholder) {
        check(field, getComputedStyle(field, "::placeholder").color, 4.5, `${field.id}, its hint`);
      }
      check(field.parentElement, style.borderTopColor, 3, `${field.id}, its border`);
    }
    return { found, looked };
  }

  function unnamed() {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const bad = [];
    for (const field of all("input, select, textarea")) {
      if (!field.labels?.length && !field.ariaLabel) bad.push(`no label: ${field.outerHTML}`);
      for (const id of (field.getAttribute("aria-describedby") ?? "").split(" ")) {
        if (id && !document.getElementById(id)) bad.push(`described by nothing: ${id}`);
      }
    }
    for (const button of all("button, a[href], summary")) {
      if (!button.textContent.trim() && !button.ariaLabel) bad.push(`no name: ${button.outerHTML}`);
    }
    for (const frame of all("iframe")) if (!frame.title) bad.push("a frame without a title");
    for (const bar of all("progress")) if (!bar.ariaLabel) bad.push("a bar without a name");
    const ids = all("[id]").map((each) => each.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) bad.push(`twice: ${id}`);
    if (all("h1").length !== 1) bad.push("not one title");
    if (all("main").length !== 1 || all("nav[aria-label]").length !== 1) bad.push("no landmarks");
    if (all("[aria-current=step]").length !== 1) bad.push("not one current step");
    return bad;
  }

  // Drawings are scaled as a whole.
  function sizes() {
    const texts = written().filter(([element]) => !(element instanceof SVGElement));
    return [...new Set(texts.map(([element]) => getComputedStyle(element).fontSize))];
  }

  return { faint, unnamed, sizes };
})()
