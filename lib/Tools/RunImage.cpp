//===- RunImage.cpp - Images as inputs of a model -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunImage.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cmath>

#include <stb_image.h>
#include <stb_image_resize.h>

using namespace mlir;
using namespace modelwright;
using modelwright::cpu::HostTensor;

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

bool modelwright::isImagePath(StringRef path) {
  return llvm::is_contained({".jpg", ".jpeg", ".png", ".bmp", ".ppm", ".pgm"},
                            llvm::sys::path::extension(path).lower());
}

namespace {
/// 8 bits per channel, [height][width][channels].
struct Pixels {
  std::vector<unsigned char> bytes;
  int64_t height = 0, width = 0, channels = 0;
};

/// Which dims of the tensor are what.
struct ImageDims {
  unsigned channels, height, width;
};
} // namespace

/// Channels that an image can have.
static bool isChannels(int64_t size) {
  return size == 1 || size == 3 || size == 4;
}

/// Whether `size` rather than `other` is a dim of channels: 1 may well be that
/// of a row.
static bool isRatherChannels(int64_t size, int64_t other) {
  auto isColor = [](int64_t size) { return size == 3 || size == 4; };
  if (isColor(size) || isColor(other))
    return isColor(size) && !isColor(other);
  return size == 1 && other != 1;
}

static llvm::Expected<ImageDims> findDims(RankedTensorType type,
                                          ImageLayout layout) {
  auto failType = [&](const llvm::Twine &why) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return fail("an image does not fit " + text + ": " + why);
  };
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() != 3 && shape.size() != 4)
    return failType("it wants 3 or 4 dims");
  unsigned first = shape.size() - 3;
  if (first == 1 && shape[0] != 1 && !ShapedType::isDynamic(shape[0]))
    return failType("it is one image, not " + llvm::Twine(shape[0]));
  if (layout == ImageLayout::FromShape) {
    bool isFirst = isRatherChannels(shape[first], shape[first + 2]);
    bool isLast = isRatherChannels(shape[first + 2], shape[first]);
    if (isFirst == isLast)
      return failType("which dim is that of the channels? --image-layout=nchw "
                      "or nhwc tells");
    layout = isFirst ? ImageLayout::NCHW : ImageLayout::NHWC;
  }
  ImageDims dims = layout == ImageLayout::NCHW
                       ? ImageDims{first, first + 1, first + 2}
                       : ImageDims{first + 2, first, first + 1};
  int64_t channels = shape[dims.channels];
  if (!ShapedType::isDynamic(channels) && !isChannels(channels))
    return failType("it has 1, 3 or 4 channels, not " + llvm::Twine(channels));
  if (ShapedType::isDynamic(shape[dims.height]) !=
      ShapedType::isDynamic(shape[dims.width]))
    return failType("height and width are known only together");
  return dims;
}

/// The number behind white space and comments in a PNM header.
static std::optional<uint64_t> takeNumber(StringRef &rest) {
  rest = rest.ltrim();
  while (rest.consume_front("#"))
    rest =
        rest.drop_until([](char c) { return c == '\n' || c == '\r'; }).ltrim();
  uint64_t number;
  if (rest.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

/// What must hold of a file's pixels before they are decoded.
static llvm::Error checkPixelBytes(uint64_t has, uint64_t wants) {
  if (has >= wants)
    return llvm::Error::success();
  return fail("ends within its pixels: it has " + llvm::Twine(has) +
              " bytes of them, not " + llvm::Twine(wants));
}

/// Binary PGM and PPM: text, one white space, and the samples.
static llvm::Error checkPNM(StringRef bytes) {
  StringRef rest = bytes.drop_front(2);
  std::optional<uint64_t> width = takeNumber(rest), height = takeNumber(rest),
                          largest = takeNumber(rest);
  if (!width || !height || !largest || rest.empty() ||
      !llvm::isSpace(rest.front()))
    return fail("has a bad header");
  if (*largest != 255)
    return fail("has samples of 0 to " + llvm::Twine(*largest) +
                "; only those of 0 to 255 can be read");
  uint64_t channels = bytes[1] == '6' ? 3 : 1;
  return checkPixelBytes(
      rest.size() - 1,
      llvm::SaturatingMultiply(channels,
                               llvm::SaturatingMultiply(*width, *height)));
}

/// Rows of whole words, from where the header says on. Those that are
/// compressed have other lengths, and no reader here.
static llvm::Error checkBMP(StringRef bytes) {
  using namespace llvm::support::endian;
  constexpr size_t kFileHeader = 14, kCoreHeader = 12, kInfoHeader = 40;
  uint32_t headerSize =
      bytes.size() < kFileHeader + 4 ? 0 : read32le(bytes.data() + kFileHeader);
  if ((headerSize != kCoreHeader && headerSize < kInfoHeader) ||
      bytes.size() - kFileHeader < headerSize)
    return fail("has a bad header");
  const char *header = bytes.data() + kFileHeader;
  uint64_t offset = read32le(bytes.data() + 10), width, height, bits;
  if (headerSize == kCoreHeader) {
    width = read16le(header + 4);
    height = read16le(header + 6);
    bits = read16le(header + 10);
  } else {
    // A height below zero: the first row is the topmost.
    width =
        uint64_t(std::abs(int64_t(static_cast<int32_t>(read32le(header + 4)))));
    height =
        uint64_t(std::abs(int64_t(static_cast<int32_t>(read32le(header + 8)))));
    bits = read16le(header + 14);
  }
  uint64_t rowBytes = llvm::divideCeil(width * bits, 32) * 4;
  return checkPixelBytes(bytes.size() -
                             std::min<uint64_t>(offset, bytes.size()),
                         llvm::SaturatingMultiply(rowBytes, height));
}

/// Checks what the decoder does not: it takes a file that ends early for one
/// with any pixels, and samples of any range for bytes.
static llvm::Error checkFile(StringRef bytes) {
  if (bytes.starts_with("P5") || bytes.starts_with("P6"))
    return checkPNM(bytes);
  if (bytes.starts_with("BM"))
    return checkBMP(bytes);
  // The decoder knows more formats, which nobody has checked.
  if (bytes.starts_with("\x89PNG") || bytes.starts_with("\xff\xd8"))
    return llvm::Error::success();
  return fail("is no JPEG, PNG, BMP, or binary PPM or PGM file");
}

/// The image with that many channels.
static llvm::Expected<Pixels> decode(StringRef path, int64_t channels) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("cannot open '" + path + "': " + buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  if (bytes.size() > size_t(INT_MAX))
    return fail("'" + path + "' is too large for an image");
  if (llvm::Error error = checkFile(bytes))
    return fail("'" + path + "' " + llvm::toString(std::move(error)));
  int width = 0, height = 0, stored = 0;
  std::unique_ptr<stbi_uc, void (*)(void *)> data(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc *>(bytes.data()),
                            int(bytes.size()), &width, &height, &stored,
                            int(channels)),
      stbi_image_free);
  if (!data)
    return fail("'" + path +
                "' is no image that can be read: " + stbi_failure_reason());
  Pixels pixels{{}, height, width, channels};
  pixels.bytes.assign(data.get(),
                      data.get() + size_t(height) * width * channels);
  return pixels;
}

static llvm::Error resize(Pixels &pixels, int64_t height, int64_t width) {
  if (pixels.height == height && pixels.width == width)
    return llvm::Error::success();
  if (height > INT_MAX || width > INT_MAX || height == 0 || width == 0)
    return fail("an image cannot be resized to " + llvm::Twine(height) + "x" +
                llvm::Twine(width));
  Pixels result{{}, height, width, pixels.channels};
  result.bytes.resize(size_t(height) * width * pixels.channels);
  // In the space that the pixels are in, as other tools that feed models do.
  if (!stbir_resize_uint8_generic(
          pixels.bytes.data(), int(pixels.width), int(pixels.height), 0,
          result.bytes.data(), int(width), int(height), 0, int(pixels.channels),
          pixels.channels == 4 ? 3 : STBIR_ALPHA_CHANNEL_NONE,
          STBIR_FLAG_ALPHA_PREMULTIPLIED, STBIR_EDGE_CLAMP,
          STBIR_FILTER_TRIANGLE, STBIR_COLORSPACE_LINEAR, nullptr))
    return fail("the image cannot be resized");
  pixels = std::move(result);
  return llvm::Error::success();
}

/// Stores real numbers as elements of a type.
namespace {
class Store {
public:
  static llvm::Expected<Store> get(Type element) {
    Store store;
    Type storage = nn::getStorageElementType(element);
    store.bits = nn::getStorageBits(element);
    store.floating = dyn_cast<FloatType>(storage);
    auto quantized = dyn_cast<quant::UniformQuantizedType>(element);
    if (store.floating)
      return store;
    if (store.bits % 8 != 0 || !isa<IntegerType>(storage) ||
        (isa<quant::QuantizedType>(element) && !quantized)) {
      std::string text;
      llvm::raw_string_ostream(text) << element;
      return fail("an image cannot be made of elements of type " + text);
    }
    bool isSigned =
        quantized ? quantized.isSigned() : !storage.isUnsignedInteger();
    store.low = isSigned ? -std::ldexp(1.0, int(store.bits) - 1) : 0.0;
    store.high =
        std::ldexp(1.0, int(isSigned ? store.bits - 1 : store.bits)) - 1;
    if (quantized) {
      store.low = double(quantized.getStorageTypeMin());
      store.high = double(quantized.getStorageTypeMax());
      store.scale = quantized.getScale();
      store.zeroPoint = double(quantized.getZeroPoint());
    }
    return store;
  }

  unsigned getBytes() const { return bits / 8; }
  /// Whether an integer cannot hold `number`.
  bool isOutside(double number) const {
    return !floating && (encode(number) < low || encode(number) > high);
  }
  void operator()(double number, char *to) const {
    uint64_t code = 0;
    if (floating) {
      llvm::APFloat value(number);
      bool lost;
      value.convert(floating.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &lost);
      code = value.bitcastToAPInt().getZExtValue();
    } else {
      code = static_cast<uint64_t>(
          static_cast<int64_t>(std::clamp(encode(number), low, high)));
    }
    std::memcpy(to, &code, getBytes());
  }

private:
  double encode(double number) const {
    return std::nearbyint(number / scale) + zeroPoint;
  }

  FloatType floating;
  unsigned bits = 0;
  double low = 0, high = 0, scale = 1, zeroPoint = 0;
};
} // namespace

llvm::Expected<HostTensor> modelwright::readImage(StringRef path,
                                                  RankedTensorType type,
                                                  const ImageOptions &options) {
  llvm::Expected<ImageDims> dims = findDims(type, options.layout);
  if (!dims)
    return dims.takeError();
  llvm::Expected<Store> store = Store::get(type.getElementType());
  if (!store)
    return store.takeError();
  SmallVector<int64_t> shape(type.getShape());
  int64_t &channels = shape[dims->channels];
  if (ShapedType::isDynamic(channels))
    channels = 3;
  for (const std::vector<double> *list : {&options.mean, &options.std})
    if (list->size() > 1 && int64_t(list->size()) != channels)
      return fail((list == &options.mean ? "--mean" : "--std") +
                  llvm::Twine(" has ") + llvm::Twine(list->size()) +
                  " numbers, the input " + llvm::Twine(channels) + " channels");
  llvm::Expected<Pixels> pixels = decode(path, channels);
  if (!pixels)
    return pixels.takeError();
  if (ShapedType::isDynamic(shape[dims->height])) {
    shape[dims->height] = pixels->height;
    shape[dims->width] = pixels->width;
  }
  if (shape.size() == 4)
    shape[0] = 1;
  if (llvm::Error error =
          resize(*pixels, shape[dims->height], shape[dims->width]))
    return std::move(error);

  auto pick = [](const std::vector<double> &list, int64_t channel,
                 double neutral) {
    return list.empty() ? neutral : list[list.size() == 1 ? 0 : channel];
  };
  auto convert = [&](double pixel, int64_t channel) {
    return (pixel - pick(options.mean, channel, 0)) /
           pick(options.std, channel, 1) * options.scale.value_or(1);
  };
  // The range of pixels as such must fit; numbers that somebody has thought
  // about saturate.
  if (options.mean.empty() && options.std.empty() && !options.scale &&
      store->isOutside(255)) {
    std::string text;
    llvm::raw_string_ostream(text) << type.getElementType();
    return fail(text + " cannot hold pixels of 0 to 255: --mean, --std or "
                       "--scale must tell what it holds");
  }
  HostTensor tensor;
  tensor.type = RankedTensorType::get(shape, type.getElementType());
  tensor.data.resize(size_t(tensor.type.getNumElements()) * store->getBytes());
  bool isLast = dims->channels == shape.size() - 1;
  int64_t area = pixels->height * pixels->width;
  for (int64_t at = 0; at < area; ++at)
    for (int64_t channel = 0; channel < channels; ++channel) {
      // Alpha stays behind the colors.
      int64_t source =
          options.order == ChannelOrder::BGR && channels >= 3 && channel < 3
              ? 2 - channel
              : channel;
      int64_t to = isLast ? at * channels + channel : channel * area + at;
      (*store)(convert(pixels->bytes[at * channels + source], channel),
               tensor.data.data() + to * store->getBytes());
    }
  return tensor;
}
